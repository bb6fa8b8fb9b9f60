import { pageUser } from '../../lib/server/page-user'
import { addOrder, listOrders } from '@example/shop'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { name } = await pageUser(event)
  return { name, orders: [...listOrders()] }
}

export const actions: Actions = {
  async default({ request, locals }) {
    const form = await request.formData()
    addOrder(String(form.get('item')), locals.user.name)
  },
}
