import { addOrder, listOrders, reportsPage } from '@example/shop'
import formbody from '@fastify/formbody'
import { guard, mount, pageGuard, userOf } from '@svc/auth/fastify'
import fastify from 'fastify'
import { auth } from './auth.ts'

const app = fastify()
await app.register(mount(auth)) // at the root, without a prefix
await app.register(formbody)

interface NewOrder {
  readonly item: string
}

// An API: a page calls it by `fetch`, with the CSRF token in a header.
const onRequest = guard(auth)
app.get('/api/orders', { onRequest }, () => ({ orders: listOrders() }))
app.post<{ Body: NewOrder }>('/api/orders', { onRequest }, async (request, reply) => {
  const user = userOf(auth, request)
  if (user === null) throw new Error('the guard did not run')
  const order = addOrder(request.body.item, user.name)
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
  })
  return reply.code(201).send({ order })
})

// A page that the server renders, with an HTML form.
const page = { onRequest: pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' }) }
app.get('/reports', page, (request, reply) =>
  reply.type('text/html').send(reportsPage(userOf(auth, request)?.name ?? '')),
)
app.post<{ Body: NewOrder }>('/reports', page, (request, reply) => {
  addOrder(request.body.item, userOf(auth, request)?.name ?? '')
  return reply.redirect('/reports', 303)
})

await app.listen({ port: Number(process.env['PORT'] || 3000), host: 'localhost' })
