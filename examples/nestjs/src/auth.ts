import { randomBytes } from 'node:crypto'
import { factors, mustUseTwoFactor, users } from '@example/shop'
import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { closeOnSignals } from '@svc/auth/node'
import { totp } from '@svc/auth/totp'

const url = process.env['APP_URL'] ?? 'http://localhost:3000'
// Without a key of your own, every restart ends all sessions.
const key = process.env['APP_KEY'] ?? randomBytes(32).toString('base64')

export const auth = createPanelAuth({
  config: {
    app: { url, keys: [key] },
    session_auth: { stateful: [url] },
    svc: { prefix: 'admin', panels: ['main'] },
  },
  stores: memoryStores(), // sqliteStores('panel.db') keeps the sessions over a restart
  users,
  twoFactor: totp({ issuer: 'Shop', factors, keys: [key], isRequiredFor: mustUseTwoFactor }),
})

setInterval(() => void auth.prune().catch(console.error), 60_000).unref()
closeOnSignals(auth) // ends the streams of the bell, for which the HTTP server would wait
