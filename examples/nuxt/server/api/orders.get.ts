import { listOrders } from '@example/shop'

// An API: a page calls it by `fetch`.
export default defineEventHandler(async (event) => {
  const user = await apiUser(event)
  if (user === null) return
  return { orders: listOrders() }
})
