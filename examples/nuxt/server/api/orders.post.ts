import { addOrder } from '@example/shop'

// The page sends the CSRF token in a header.
export default defineEventHandler(async (event) => {
  const user = await apiUser(event)
  if (user === null) return
  const { item } = await readBody<{ item: string }>(event)
  const order = addOrder(item, user.name)
  const { auth } = await openPanel()
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
  })
  setResponseStatus(event, 201)
  return { order }
})
