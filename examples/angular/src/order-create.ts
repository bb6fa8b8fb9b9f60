import { Component, inject, signal } from '@angular/core'
import { Router } from '@angular/router'
import { addOrder } from './orders'

@Component({
  selector: 'app-order-create',
  template: `
    <form (submit)="save($event, item.value)">
      <h1>New order</h1>
      <label>Item <input #item name="item" required /></label>
      <button>Save</button>
      <p role="alert">{{ problem() }}</p>
    </form>
  `,
})
export class OrderCreate {
  protected readonly problem = signal('')
  readonly #router = inject(Router)

  protected async save(event: Event, item: string) {
    event.preventDefault()
    try {
      await addOrder(item)
      await this.#router.navigateByUrl('/orders')
    } catch (error) {
      this.problem.set(error instanceof Error ? error.message : 'The order could not be saved.')
    }
  }
}
