import { addOrder, listOrders, reportsPage } from '@example/shop'
import { guard, mount, pageGuard } from '@svc/auth/fetch'
import { auth } from './auth.ts'

const serve = mount(auth)
const admitApi = guard(auth)
const admitPage = pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' })

/** Answers a request. The platform knows the client's address, by which guests are limited. */
export async function answer(request: Request, address: string | null): Promise<Response> {
  return serve(request, { address }, () => answerHost(request, address))
}

/** Answers a request that is not the service's. */
async function answerHost(request: Request, address: string | null): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/api/orders') return answerApi(request, address)
  if (pathname === '/reports') return answerPage(request, address)
  return new Response(null, { status: 404 })
}

/** An API: a page calls it by `fetch`, with the CSRF token in a header. */
async function answerApi(request: Request, address: string | null): Promise<Response> {
  const { user, response } = await admitApi(request, { address })
  if (response !== null) return response
  const headers = { 'cache-control': 'private, no-cache' } // for caches in front
  if (request.method !== 'POST') return Response.json({ orders: listOrders() }, { headers })
  const { item } = (await request.json()) as { readonly item: string }
  const order = addOrder(item, user.name)
  await auth.notify(user, {
    type: 'order',
    via: () => ['database'],
    toDatabase: () => ({ title: `New order: ${order.item}`, url: '/reports' }),
  })
  return Response.json({ order }, { status: 201, headers })
}

/** A page that the server renders, with an HTML form. */
async function answerPage(request: Request, address: string | null): Promise<Response> {
  const { user, response } = await admitPage(request, { address })
  if (response !== null) return response
  if (request.method === 'POST') {
    const form = await request.formData()
    addOrder(String(form.get('item')), user.name)
    return new Response(null, { status: 303, headers: { location: '/reports' } })
  }
  // Without `no-store`, Back after the logout would show the page again.
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(reportsPage(user.name), { headers })
}
