import { addOrder, listOrders, reportsPage } from '@example/shop'
import { guard, mount, pageGuard } from '@svc/auth/fetch'
import { Elysia } from 'elysia'
import { auth } from './auth.ts'

const serve = mount(auth)
const admitApi = guard(auth)
const admitPage = pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' })

interface Connection {
  readonly request: Request & { readonly ip?: string }
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null
}

/** The client's address, by which guests are limited: that of Bun, or that of Node. */
const infoOf = ({ request, server }: Connection) => ({
  address: server?.requestIP(request)?.address ?? request.ip ?? null,
})

interface NewOrder {
  readonly item: string
}

// An API: a page calls it by `fetch`, with the CSRF token in a header.
const orders = new Elysia({ prefix: '/api/orders' })
  .resolve(async (context) => {
    const { user, response } = await admitApi(context.request, infoOf(context))
    if (response !== null) throw response
    context.set.headers['cache-control'] = 'private, no-cache' // for caches in front
    return { user }
  })
  .get('/', () => ({ orders: listOrders() }))
  .post('/', async ({ body, user, status }) => {
    const order = addOrder((body as NewOrder).item, user.name)
    await auth.notify(user, {
      type: 'order',
      via: () => ['database'],
      toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
    })
    return status(201, { order })
  })

// A page that the server renders, with an HTML form.
const reports = new Elysia({ prefix: '/reports' })
  .resolve(async (context) => {
    const { user, response } = await admitPage(context.request, infoOf(context))
    if (response !== null) throw response
    return { user }
  })
  .get('/', ({ user }) => new Response(reportsPage(user.name), HTML))
  .post('/', ({ body, user, redirect }) => {
    addOrder((body as NewOrder).item, user.name)
    return redirect('/reports', 303)
  })

// Without `no-store`, Back after the logout would show a page again.
const HTML = {
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
}

new Elysia({ serve: { idleTimeout: 60 } }) // seconds: the bell's stream writes every 25
  // Elysia goes on with a request that returns nothing here.
  .onRequest(async (context) => serve(context.request, infoOf(context), () => undefined))
  .onError(({ error }) => (error instanceof Response ? error : undefined))
  .use(orders)
  .use(reports)
  .listen(Number(process.env['PORT'] || 3000))
