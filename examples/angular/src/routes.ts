import type { Routes } from '@angular/router'
import { confirmLeave } from '@svc/auth/mount'
import { OrderCreate } from './order-create'
import { OrderList } from './order-list'
import { Security } from './panel-parts'

// No guards: `App` renders no page without a user, and the server guards the data.
export const routes: Routes = [
  { path: 'orders', component: OrderList },
  { path: 'orders/create', component: OrderCreate },
  // Recovery codes are shown once: the back button must not lose them.
  { path: 'security', component: Security, canDeactivate: [() => confirmLeave()] },
  { path: '**', redirectTo: 'orders' },
]
