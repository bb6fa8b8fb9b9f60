import { addOrder, listOrders, reportsPage } from '@example/shop'
import { getConnInfo } from 'hono/bun'
import { guard, mount, pageGuard, userOf } from '@svc/auth/hono'
import { Hono } from 'hono'
import { auth } from './auth.ts'

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

export default {
  fetch: app.fetch,
  port: Number(process.env['PORT'] ?? 3000),
  idleTimeout: 60, // Bun ends idle connections after 10 seconds; the bell's stream writes every 25
}
