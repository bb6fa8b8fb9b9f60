import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { addOrder, listOrders, reportsPage } from '@example/shop'
import type { Person } from '@example/shop'
import { guard, mount, pageGuard } from '@svc/auth/node'
import { auth } from './auth.ts'

const serve = mount(auth)
const admitApi = guard(auth)
const admitPage = pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' })

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const routes: Readonly<Record<string, Handler>> = {
  // An API: a page calls it by `fetch`, with the CSRF token in a header.
  async 'GET /api/orders'(request, response) {
    const user = await admitApi(request, response)
    if (user === null) return // the guard has answered
    answerJson(response, 200, { orders: listOrders() })
  },
  async 'POST /api/orders'(request, response) {
    const user = await admitApi(request, response)
    if (user === null) return
    const { item } = (await json(request)) as { readonly item: string }
    answerJson(response, 201, { order: await placeOrder(item, user) })
  },
  // A page that the server renders, with an HTML form.
  async 'GET /reports'(request, response) {
    const user = await admitPage(request, response)
    if (user === null) return
    response.setHeader('content-type', 'text/html; charset=utf-8').end(reportsPage(user.name))
  },
  async 'POST /reports'(request, response) {
    const user = await admitPage(request, response)
    if (user === null) return
    const form = new URLSearchParams(await text(request))
    addOrder(form.get('item') ?? '', user.name)
    response.writeHead(303, { location: '/reports' }).end()
  },
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path] = (request.url ?? '/').split('?')
  const handler = routes[`${request.method} ${path}`]
  if (handler === undefined) response.writeHead(404).end()
  else await handler(request, response)
}

async function placeOrder(item: string, user: Person) {
  const order = addOrder(item, user.name)
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
  })
  return order
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

createServer((request, response) => {
  serve(request, response, () => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
}).listen(Number(process.env['PORT'] || 3000))
