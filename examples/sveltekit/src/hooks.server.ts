import { auth } from './lib/server/auth'
import { guard, mount, pageGuard } from '@svc/auth/fetch'
import type { Handle } from '@sveltejs/kit/hooks'

const serve = mount(auth)
const requireApiUser = guard(auth)
const requireFormUser = pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' })

export const handle: Handle = async ({ event, resolve }) => {
  const { request, route, locals } = event
  const info = { address: event.getClientAddress() }
  if (auth.serves(event.url.pathname)) return serve(request, info)
  // The route, not the path: SvelteKit decodes `/%61pi/orders` before it looks for the route.
  const isApi = route.id?.startsWith('/api/') ?? false
  // Pages ask for their user in `load`, so that the client's navigations are redirected, too.
  if (isApi || request.method === 'POST') {
    const admit = isApi ? requireApiUser : requireFormUser
    const { user, response } = await admit(request, info)
    if (response !== null) return response
    locals.user = user
  }
  return resolve(event)
}
