import { addOrder, listOrders } from '@example/shop'
import { Form } from 'react-router'
import { pageMiddleware, userContext } from '../guards.server'
import type { Route } from './+types/reports'

export const middleware: Route.MiddlewareFunction[] = [pageMiddleware]

export function loader({ context }: Route.LoaderArgs) {
  return { name: context.get(userContext).name, orders: listOrders() }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData()
  addOrder(String(form.get('item')), context.get(userContext).name)
  return null
}

export default function Reports({ loaderData: { name, orders } }: Route.ComponentProps) {
  return (
    <>
      <title>Reports</title>
      <h1>Reports for {name}</h1>
      <ul>
        {orders.map(({ item, by }, index) => (
          <li key={index}>
            {item}, by {by}
          </li>
        ))}
      </ul>
      <Form method="post">
        <label>
          Item <input name="item" required />
        </label>
        <button>Order</button>
      </Form>
      <p>
        <a href="/admin/main">Panel</a>
      </p>
    </>
  )
}
