import type { Person } from '@example/shop'
import { guard, pageGuard } from '@svc/auth/node'
import type { H3Event } from 'h3'

const forForms = { login: '/admin/main/login', csrf: 'same-origin' } as const

/** Returns the user of an API route; `null` if the guard has answered the request. */
export async function apiUser({ node }: H3Event): Promise<Person | null> {
  const { auth } = await openPanel()
  return guard(auth)(node.req, node.res)
}

/** Returns the user who submitted an HTML form; `null` if the guard has answered the request. */
export async function formUser({ node }: H3Event): Promise<Person | null> {
  const { auth } = await openPanel()
  return pageGuard(auth, forForms)(node.req, node.res)
}
