import { addOrder, listOrders } from '@example/shop'
import { openPanel } from '../auth.server'
import { apiMiddleware, userContext } from '../guards.server'
import type { Route } from './+types/orders'

export const middleware: Route.MiddlewareFunction[] = [apiMiddleware]

export function loader() {
  return Response.json({ orders: listOrders() })
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = context.get(userContext)
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
