import { addOrder, listOrders, reportsPage } from '@example/shop'
import { guard, mount, pageGuard, userOf } from '@svc/auth/hono'
import { Hono } from 'hono'
import type { GetConnInfo } from 'hono/conninfo'
import { auth } from './auth.ts'

/** Creates the application. `getConnInfo` is that of the platform: it knows the client's address. */
export function createApp(getConnInfo: GetConnInfo): Hono {
  const app = new Hono()
  app.use(mount(auth, getConnInfo))

  // An API: a page calls it by `fetch`, with the CSRF token in a header.
  app.use('/api/orders', guard(auth, getConnInfo))
  app.get('/api/orders', (context) => context.json({ orders: listOrders() }))
  app.post('/api/orders', async (context) => {
    const user = userOf(auth, context)
    if (user === null) throw new Error('the guard did not run')
    const { item } = await context.req.json<{ item: string }>()
    const order = addOrder(item, user.name)
    await auth.notify(user, {
      type: 'order',
      via: () => ['database'],
      toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
    })
    return context.json({ order }, 201)
  })

  // A page that the server renders, with an HTML form.
  app.use(
    '/reports',
    pageGuard(auth, getConnInfo, { login: '/admin/main/login', csrf: 'same-origin' }),
  )
  app.get('/reports', (context) => context.html(reportsPage(userOf(auth, context)?.name ?? '')))
  app.post('/reports', async (context) => {
    const { item } = await context.req.parseBody()
    addOrder(String(item), userOf(auth, context)?.name ?? '')
    return context.redirect('/reports', 303)
  })
  return app
}
