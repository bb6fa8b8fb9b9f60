import { openPanel } from '../../../lib/server/auth'
import { addOrder, listOrders } from '@example/shop'
import type { RequestHandler } from './$types'

// An API: a page calls it by `fetch`, with the CSRF token in a header. `hooks.server.ts` guards it.
export const GET: RequestHandler = () => Response.json({ orders: listOrders() })

export const POST: RequestHandler = async ({ request, locals: { user } }) => {
  const { item } = await request.json()
  const order = addOrder(String(item), user.name)
  const { auth } = await openPanel()
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
  })
  return Response.json({ order }, { status: 201 })
}
