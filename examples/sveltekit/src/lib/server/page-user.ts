import { openPanel } from './auth'
import { error, redirect, type ServerLoadEvent } from '@sveltejs/kit'
import { checkPage } from '@svc/auth/fetch'

/** Returns the user of a page, or redirects to the panel, which returns to the page. */
export async function pageUser({ request, url }: Pick<ServerLoadEvent, 'request' | 'url'>) {
  const { auth } = await openPanel()
  const path = url.pathname + url.search
  // All layouts and pages of a request share one check.
  const page = await checkPage(auth, request.headers, { login: '/admin/main/login', path })
  if (page.outcome === 'admitted') return page.user
  if (page.outcome === 'redirect') redirect(303, page.location)
  error(page.status, page.message)
}
