import { addOrder, listOrders, reportsPage, type Person } from '@example/shop'
import { guard, mount, pageGuard, type FetchGuard } from '@svc/auth/fetch'
import {
  getRequestIP,
  H3,
  html,
  raw,
  readBody,
  redirect,
  serve,
  type H3Event,
  type Middleware,
} from 'h3'
import { auth } from './auth.ts'

const handle = mount(auth)

/** The client's address, by which guests are limited. */
const infoOf = (event: H3Event) => ({ address: getRequestIP(event) ?? null })

/** Lets a route run for an admitted user only, whom `userOf` returns. */
function admit(check: FetchGuard<Person>): Middleware {
  return async (event, next) => {
    const { user, response } = await check(event.req, infoOf(event))
    if (response !== null) return response
    event.context['user'] = user
    event.res.headers.set('cache-control', 'private, no-cache') // for caches in front
    return next()
  }
}
const userOf = (event: H3Event) => event.context['user'] as Person

const api = { middleware: [admit(guard(auth))] }
const page = {
  middleware: [admit(pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' }))],
}

interface NewOrder {
  readonly item: string
}

const app = new H3()
app.use((event) => (auth.serves(event.url.pathname) ? handle(event.req, infoOf(event)) : undefined))

// An API: a page calls it by `fetch`, with the CSRF token in a header.
app.get('/api/orders', () => ({ orders: listOrders() }), api)
app.post(
  '/api/orders',
  async (event) => {
    const { item } = (await readBody<NewOrder>(event)) ?? { item: '' }
    const order = addOrder(item, userOf(event).name)
    await auth.notify(userOf(event), {
      type: 'order',
      via: () => ['database'],
      toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
    })
    event.res.status = 201
    return { order }
  },
  api,
)

// A page that the server renders, with an HTML form.
app.get(
  '/reports',
  (event) => {
    // Without `no-store`, Back after the logout would show the page again.
    event.res.headers.set('cache-control', 'no-store')
    return html(raw(reportsPage(userOf(event).name)))
  },
  page,
)
app.post(
  '/reports',
  async (event) => {
    const form = await event.req.formData()
    addOrder(String(form.get('item')), userOf(event).name)
    return redirect('/reports', 303)
  },
  page,
)

serve(app, { port: Number(process.env['PORT'] || 3000) })
