import { checkPage, type PageVerdict } from '@svc/auth/fetch'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { login, openPanel } from './auth'

/** Returns the user of a page, or redirects to the panel, which returns to `path`. */
export async function pageUser(path: string) {
  const request = await headers() // before the service is opened: a build has no headers, and stops here
  const { auth } = await openPanel()
  // All components of a page share one check.
  return userOrRedirect(await checkPage(auth, request, { login, path }))
}

/** Returns whether a page has a user. */
export async function hasPageUser(): Promise<boolean> {
  const request = await headers()
  const { auth } = await openPanel()
  return (await auth.userFrom(request)).outcome === 'admitted'
}

/** Returns the user whose page called a server action, or redirects to the panel. */
export async function actionUser(path: string) {
  // Next.js compares `Origin` with `Host`, but it runs an action that comes without `Origin`.
  const options = { login, path, csrf: 'same-origin' } as const
  const { auth } = await openPanel()
  return userOrRedirect(await checkPage(auth, await headers(), options))
}

function userOrRedirect<User>(page: PageVerdict<User>): User {
  if (page.outcome === 'admitted') return page.user
  if (page.outcome === 'redirect') redirect(page.location)
  throw new Error(page.message) // shown by error.tsx; an outage logs nobody out
}
