import type { Verdict } from '@svc/auth'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { auth } from './auth'

/** Returns the user of a page, or redirects to the panel, which returns to `path`. */
export async function pageUser(path: string) {
  // All components of a page share one check.
  return userOrRedirect(await auth.userFrom(await headers()), path)
}

/** Returns the user whose page called a server action, or redirects to the panel. */
export async function actionUser(path: string) {
  // Next.js compares `Origin` with `Host`, but it runs an action that comes without `Origin`.
  return userOrRedirect(await auth.userFrom(await headers(), { csrf: 'same-origin' }), path)
}

function userOrRedirect<User>(verdict: Verdict<User>, path: string): User {
  switch (verdict.outcome) {
    case 'admitted':
      return verdict.user
    case 'unavailable': // an outage logs nobody out
    case 'refused':
    case 'answered':
      throw new Error(`The request is ${verdict.outcome}.`)
    default:
      redirect(`/admin/main/login?${new URLSearchParams({ next: path })}`)
  }
}
