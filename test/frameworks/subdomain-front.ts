import { createAuthClient, createBell, createPanelSession } from '@svc/auth/client'

/** Connects a page to the service and the guarded routes on another subdomain. */
export function createFrontEnd(api: string) {
  const client = createAuthClient({ baseUrl: api })
  const session = createPanelSession({ client })
  const bell = createBell({ session, baseUrl: api })
  session.start()
  bell.start()
  return {
    session, // login, submitCode, logout; getState() says which screen to show
    bell,
    listOrders: async () => session.request((fetch) => fetch('/api/orders')),
    addOrder: async () => session.request((fetch) => fetch('/api/orders', { method: 'POST' })),
  }
}
