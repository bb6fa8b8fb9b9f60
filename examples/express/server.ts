import { addOrder, listOrders, reportsPage } from '@example/shop'
import { guard, mount, pageGuard, userOf } from '@svc/auth/express'
import express from 'express'
import { auth } from './auth.ts'

const app = express()
app.use(mount(auth)) // before any body parser

// An API: a page calls it by `fetch`, with the CSRF token in a header.
const orders = express.Router()
orders.use(guard(auth), express.json())
orders.get('/', (_request, response) => void response.json({ orders: listOrders() }))
orders.post('/', async (request, response) => {
  const user = userOf(auth, request)
  if (user === null) throw new Error('the guard did not run')
  const order = addOrder(String(request.body.item), user.name)
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
  })
  response.status(201).json({ order })
})
app.use('/api/orders', orders)

// A page that the server renders, with an HTML form.
const page = pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' })
app.get('/reports', page, (request, response) => {
  response.type('html').send(reportsPage(userOf(auth, request)?.name ?? ''))
})
app.post('/reports', page, express.urlencoded(), (request, response) => {
  addOrder(String(request.body.item), userOf(auth, request)?.name ?? '')
  response.redirect(303, '/reports')
})

app.listen(Number(process.env['PORT'] || 3000))
