import { addOrder, listOrders } from '@example/shop'
import type { Person } from '@example/shop'
import { Body, Controller, Get, Post } from '@nestjs/common'
import { CurrentUser } from '@svc/auth/nestjs'
import { auth } from './auth.js'

class NewOrder {
  readonly item: string = ''
}

/** An API: a page calls it by `fetch`, with the CSRF token in a header. */
@Controller('api/orders')
export class OrdersController {
  @Get()
  list() {
    return { orders: listOrders() }
  }

  @Post()
  async add(@Body() { item }: NewOrder, @CurrentUser(auth) user: Person) {
    const order = addOrder(item, user.name)
    await auth.notify(user, {
      type: 'order',
      via: () => ['database'],
      toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
    })
    return { order }
  }
}
