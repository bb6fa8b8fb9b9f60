import { checkPage } from '@svc/auth/fetch'

/** Tells the middleware of a page who its user is, or where to redirect. */
export default defineEventHandler(async (event) => {
  const { auth } = await openPanel()
  const path = String(getQuery(event)['path'])
  const page = await checkPage(auth, event.headers, { login: '/admin/main/login', path })
  setResponseHeader(event, 'cache-control', 'private, no-cache') // for caches in front
  // The user itself has a password hash.
  return page.outcome === 'admitted' ? { ...page, user: { name: page.user.name } } : page
})
