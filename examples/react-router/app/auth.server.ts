import { randomBytes } from 'node:crypto'
import { twoFactor, users } from '@example/shop'
import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { closeOnSignals } from '@svc/auth/node'

function create() {
  const url = process.env['APP_URL'] ?? 'http://localhost:3000'
  // Without a key of your own, every restart ends all sessions.
  const key = process.env['APP_KEY'] ?? randomBytes(32).toString('base64')
  const auth = createPanelAuth({
    config: {
      app: { url, keys: [key] },
      session_auth: { stateful: [new URL(url).host] },
      svc: { prefix: 'admin', panels: ['main'] },
    },
    stores: memoryStores(), // sqliteStores('panel.db') keeps the sessions over a restart
    users,
    twoFactor,
  })
  setInterval(() => void auth.prune().catch(console.error), 60_000).unref()
  closeOnSignals(auth)
  return auth
}

// Vite evaluates this file again when it changes. Each service would start a process of its own and
// notify only the pages that it knows.
const kept = globalThis as { panelAuth?: ReturnType<typeof create> }
export const auth = (kept.panelAuth ??= create())
