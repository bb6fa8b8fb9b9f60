import { confirmLeave } from '@svc/auth/mount'
import { SecurityView } from '@svc/auth/vue'
import { createRouter, createWebHistory } from 'vue-router'
import OrderCreate from './order-create.vue'
import OrderList from './order-list.vue'

// No guards: `PanelGate` renders no page without a user, and the server guards the data.
export const router = createRouter({
  history: createWebHistory('/admin/main'),
  routes: [
    { path: '/orders', component: OrderList },
    { path: '/orders/create', component: OrderCreate },
    { path: '/security', component: SecurityView, props: { panel: 'Shop' } },
    { path: '/:page(.*)', redirect: '/orders' },
  ],
})

// Recovery codes are shown once: the back button must not lose them.
router.beforeEach(() => confirmLeave())
