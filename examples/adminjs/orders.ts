import { addOrder, listOrders, type Order } from '@example/shop'
import { BaseProperty, BaseRecord, BaseResource, type ActionContext } from 'adminjs'

/** The orders of the shop. Your own database has an adapter for AdminJS instead. */
export class Orders extends BaseResource {
  override id() {
    return 'orders'
  }

  override databaseName() {
    return 'shop'
  }

  override properties() {
    return [
      new BaseProperty({ path: 'id', isId: true, type: 'number' }),
      new BaseProperty({ path: 'item' }),
      new BaseProperty({ path: 'by' }),
    ]
  }

  override property(path: string) {
    return this.properties().find((property) => property.path() === path) ?? null
  }

  override async count() {
    return listOrders().length
  }

  override async find() {
    return listOrders().map((order) => this.#recordOf(order))
  }

  override async findOne(id: string): Promise<BaseRecord | null> {
    const order = listOrders().find((order) => String(order.id) === id)
    return order === undefined ? null : this.#recordOf(order)
  }

  override async create(params: { readonly item?: unknown }, context?: ActionContext) {
    return { ...addOrder(String(params.item), context?.currentAdmin?.title ?? '') }
  }

  #recordOf(order: Order): BaseRecord {
    return new BaseRecord({ ...order }, this)
  }
}
