import { once } from 'node:events'
import { addOrder, factors, listOrders, mustUseTwoFactor, users } from '@example/shop'
import { createPanelAuth } from '@svc/auth'
import { guard, mount, userOf } from '@svc/auth/express'
import { memoryStores } from '@svc/auth/memory'
import { totp } from '@svc/auth/totp'
import express from 'express'

const KEY = 'key of tests 0123456789 abcdefghij'

/** Starts the application on a port; tests start one of their own. */
export async function startApplication(port = 0) {
  const app = express()
  const server = app.listen(port)
  await once(server, 'listening')
  const url = `http://localhost:${server.address().port}`
  const auth = createPanelAuth({
    config: {
      app: { url, keys: [KEY] },
      session_auth: { stateful: [url] },
      svc: { prefix: 'admin', panels: ['main'] },
      environment: 'development',
    },
    stores: memoryStores(),
    users,
    twoFactor: totp({ issuer: 'Shop', factors, keys: [KEY], isRequiredFor: mustUseTwoFactor }),
  })
  app.use(mount(auth))
  app.use('/api/orders', guard(auth), express.json())
  app.get('/api/orders', (_request, response) => void response.json({ orders: listOrders() }))
  app.post('/api/orders', (request, response) => {
    const order = addOrder(request.body.item, userOf(auth, request).name)
    response.status(201).json({ order })
  })
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await auth.close()
  }
  return { auth, url, users, stop }
}
