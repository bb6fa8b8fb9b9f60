import { session } from './session'

export interface Order {
  readonly id: number
  readonly item: string
  readonly by: string
}

export const listOrders = () => send<readonly Order[]>()

export const addOrder = (item: string) =>
  send<Order>({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item }),
  })

/** Sends the cookie and the CSRF token; an answer of 401 or 403 refreshes the session. */
async function send<Body>(init: RequestInit = {}): Promise<Body> {
  const response = await session.request((fetch) => fetch('/api/orders', init))
  const body = await response.json()
  if (response.ok) return body
  throw new Error(body.message)
}
