import { mount } from '@svc/auth/fetch'
import { auth } from './auth'

const handle = mount(auth)

/** Answers the API and the pages of the panel. */
export async function serve(request: Request): Promise<Response> {
  return handle(request, { address: null }) // route handlers do not see the socket
}
