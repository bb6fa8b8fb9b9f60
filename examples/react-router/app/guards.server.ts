import type { Person } from '@example/shop'
import type { Verdict } from '@svc/auth'
import { guard } from '@svc/auth/fetch'
import { createContext, redirect, type MiddlewareFunction } from 'react-router'
import { auth } from './auth.server'

/** The user of the request. Reading it throws where no middleware of this file has run. */
export const userContext = createContext<Person>()

// `react-router-serve` does not tell the address; behind a proxy, set `address_header`.
const NO_ADDRESS = { address: null }
const requireApiUser = guard(auth)

/** Guards resource routes that a page calls by `fetch`, with the CSRF token in a header. */
export const apiMiddleware: MiddlewareFunction<Response> = async ({ request, context }) => {
  const { user, response } = await requireApiUser(request, NO_ADDRESS)
  if (response !== null) return response
  context.set(userContext, user)
}

/** Guards pages and their actions: the panel returns to the page after the login. */
export const pageMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // React Router compares `Origin` with the host, but it runs an action that comes without `Origin`.
  const verdict = isRead
    ? await auth.userFrom(request.headers)
    : await auth.userFrom(request.headers, { csrf: 'same-origin' })
  context.set(userContext, userOrRedirect(verdict, url))
}

function userOrRedirect<User>(verdict: Verdict<User>, { pathname, search }: URL): User {
  switch (verdict.outcome) {
    case 'admitted':
      return verdict.user
    case 'unavailable': // an outage logs nobody out
    case 'refused':
    case 'answered':
      throw new Response(null, { status: verdict.reply.status })
    default:
      throw redirect(`/admin/main/login?${new URLSearchParams({ next: pathname + search })}`)
  }
}
