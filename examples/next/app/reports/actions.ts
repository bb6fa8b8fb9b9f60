'use server'

import { addOrder } from '@example/shop'
import { revalidatePath } from 'next/cache'
import { actionUser } from '../../lib/page-user'

export async function order(form: FormData): Promise<void> {
  const user = await actionUser('/reports')
  addOrder(String(form.get('item')), user.name)
  revalidatePath('/reports')
}
