import { addOrder } from '@example/shop'

/** Takes the HTML form of the page `/reports`. */
export default defineEventHandler(async (event) => {
  const user = await formUser(event)
  if (user === null) return
  const form = await readFormData(event)
  addOrder(String(form.get('item')), user.name)
  return sendRedirect(event, '/reports', 303)
})
