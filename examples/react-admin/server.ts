import { addOrder, listOrders } from '@example/shop'
import { guard, mount, userOf } from '@svc/auth/express'
import express from 'express'
import { auth } from './auth.ts'

const app = express()
app.use(mount(auth)) // before any body parser

const orders = express.Router()
orders.use(guard(auth), express.json())
orders.get('/', (_request, response) => {
  const all = listOrders()
  response.set('X-Total-Count', String(all.length)).json(all)
})
orders.get('/:id', (request, response) => {
  response.json(listOrders().find(({ id }) => String(id) === request.params.id))
})
orders.post('/', async (request, response) => {
  const user = userOf(auth, request)
  if (user === null) throw new Error('the guard did not run')
  const order = addOrder(String(request.body.item), user.name)
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/admin/main/#/orders' }),
  })
  response.status(201).json(order)
})
app.use('/api/orders', orders)

// The application, at the address that the mail with the verification link leads to.
app.use('/admin/main', express.static('dist'))

app.listen(Number(process.env['PORT'] || 3000))
