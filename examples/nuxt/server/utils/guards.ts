import type { Person } from '@example/shop'
import { guard, pageGuard } from '@svc/auth/node'
import type { H3Event } from 'h3'

const admitApi = guard(auth)
const admitForm = pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' })

/** Returns the user of an API route; `null` if the guard has answered the request. */
export async function apiUser({ node }: H3Event): Promise<Person | null> {
  return admitApi(node.req, node.res)
}

/** Returns the user who submitted an HTML form; `null` if the guard has answered the request. */
export async function formUser({ node }: H3Event): Promise<Person | null> {
  return admitForm(node.req, node.res)
}
