import { addOrder, listOrders } from '@example/shop'
import { guard } from '@svc/auth/fetch'
import { openPanel } from '../../../lib/auth'

const headers = { 'cache-control': 'private, no-cache' } // for caches in front

// An API: a page calls it by `fetch`, with the CSRF token in a header.
export async function GET(request: Request): Promise<Response> {
  const { auth } = await openPanel()
  const { response } = await guard(auth)(request, { address: null })
  return response ?? Response.json({ orders: listOrders() }, { headers })
}

export async function POST(request: Request): Promise<Response> {
  const { auth } = await openPanel()
  const { user, response } = await guard(auth)(request, { address: null })
  if (response !== null) return response
  const { item } = await request.json()
  const order = addOrder(String(item), user.name)
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
  })
  return Response.json({ order }, { status: 201, headers })
}
