import { Component, signal } from '@angular/core'
import { listOrders, type Order } from './orders'

@Component({
  selector: 'app-order-list',
  template: `
    <h1>Orders</h1>
    <p role="alert">{{ problem() }}</p>
    <table>
      <tbody>
        @for (order of orders(); track order.id) {
          <tr>
            <td>{{ order.item }}</td>
            <td>{{ order.by }}</td>
          </tr>
        }
      </tbody>
    </table>
  `,
})
export class OrderList {
  protected readonly orders = signal<readonly Order[]>([])
  protected readonly problem = signal('')

  constructor() {
    listOrders().then(
      (orders) => this.orders.set(orders),
      () => this.problem.set('The orders could not be loaded.'),
    )
  }
}
