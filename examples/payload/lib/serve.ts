import { mount } from '@svc/auth/fetch'
import { openPanel } from './auth'

/** Answers the API and the pages of the panel. */
export async function serve(request: Request): Promise<Response> {
  const { auth } = await openPanel()
  return mount(auth)(request, { address: null }) // route handlers do not see the socket
}
