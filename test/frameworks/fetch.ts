import { guard, mount } from '@svc/auth/fetch'
import { auth } from './auth.ts'

const serve = mount(auth)
const admit = guard(auth)

/** Answers a request on Bun or Deno; the platform supplies the client's address. */
export async function answer(request: Request, address: string | null): Promise<Response> {
  if (auth.serves(new URL(request.url).pathname)) return serve(request, { address })
  const { user, response } = await admit(request, { address })
  return response ?? Response.json({ seenBy: user.name })
}
