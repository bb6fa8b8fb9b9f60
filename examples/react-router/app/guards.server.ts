import type { Person } from '@example/shop'
import { checkPage, guard } from '@svc/auth/fetch'
import { createContext, redirect, type MiddlewareFunction } from 'react-router'
import { openPanel } from './auth.server'

/** The user of the request. Reading it throws where no middleware of this file has run. */
export const userContext = createContext<Person>()

// `react-router-serve` does not tell the address; behind a proxy, set `address_header`.
const NO_ADDRESS = { address: null }

/** Guards resource routes that a page calls by `fetch`, with the CSRF token in a header. */
export const apiMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { auth } = await openPanel()
  const { user, response } = await guard(auth)(request, NO_ADDRESS)
  if (response !== null) return response
  context.set(userContext, user)
  return withCaching('private, no-cache', await next()) // for caches in front
}

/** Guards pages and their actions: the panel returns to the page after the login. */
export const pageMiddleware: MiddlewareFunction<Response> = async (
  { request, url, context },
  next,
) => {
  const { auth } = await openPanel()
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const page = await checkPage(auth, request.headers, {
    login: '/admin/main/login',
    path: url.pathname + url.search,
    // React Router compares `Origin` with the host, but it runs an action that comes without one.
    ...(!isRead && { csrf: 'same-origin' }),
  })
  if (page.outcome === 'redirect') throw redirect(page.location)
  if (page.outcome !== 'admitted') throw new Response(page.message, { status: page.status })
  context.set(userContext, page.user)
  // Without `no-store`, Back after the logout would show the page again.
  return withCaching('no-store', await next())
}

/** Sets `Cache-Control` on a copy: the headers of `Response.redirect`, for one, are read-only. */
function withCaching(value: string, given: Response): Response {
  const response = new Response(given.body, given)
  response.headers.set('cache-control', value)
  return response
}
