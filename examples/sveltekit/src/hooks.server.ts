import { building } from '$app/env'
import { openPanel } from './lib/server/auth'
import { guard, mount, pageGuard } from '@svc/auth/fetch'
import type { Handle } from '@sveltejs/kit/hooks'

const forForms = { login: '/admin/main/login', csrf: 'same-origin' } as const

export const handle: Handle = async ({ event, resolve }) => {
  // A page that the build renders has no client, and the build has no key and no database.
  if (building) return resolve(event)
  const { auth } = await openPanel()
  const { request, route, locals } = event
  const info = { address: event.getClientAddress() }
  if (auth.serves(event.url.pathname)) return mount(auth)(request, info)
  // The route, not the path: SvelteKit decodes `/%61pi/orders` before it looks for the route. That
  // may be in a folder such as `(app)` or `[[lang]]`.
  const isApi = route.id?.split('/').includes('api') ?? false
  // Pages ask for their user in `load`, so that the client's navigations are redirected, too. What
  // their scripts ask for by remote functions has no `load`.
  if (isApi || event.isRemoteRequest || request.method === 'POST') {
    const admit = isApi ? guard(auth) : pageGuard(auth, forForms)
    const { user, response } = await admit(request, info)
    if (response !== null) return response
    locals.user = user
  }
  const given = await resolve(event)
  const response = new Response(given.body, given) // whose headers can be changed
  // Without `no-store`, Back after the logout would show the page again.
  response.headers.set('cache-control', 'no-store')
  return response
}
