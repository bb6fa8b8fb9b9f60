import type { Routes } from '@angular/router'
import { OrderCreate } from './order-create.ts'
import { OrderList } from './order-list.ts'
import { Security } from './panel-parts.ts'

// No guards: `App` renders no page without a user, and the server guards the data.
export const routes: Routes = [
  { path: 'orders', component: OrderList },
  { path: 'orders/create', component: OrderCreate },
  { path: 'security', component: Security },
  { path: '**', redirectTo: 'orders' },
]
