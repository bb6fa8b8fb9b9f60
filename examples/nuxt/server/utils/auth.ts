import { randomBytes } from 'node:crypto'
import { factors, mustUseTwoFactor, users } from '@example/shop'
import { createPanelAuth, openOnce } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { closeOnSignals } from '@svc/auth/node'
import { totp } from '@svc/auth/totp'

// Opened by the first request: a build that renders pages runs this without the key and the database.
export const openPanel = openOnce('panel', () => {
  const url = process.env['APP_URL'] ?? 'http://localhost:3000'
  // Without a key of your own, every restart ends all sessions.
  const key = process.env['APP_KEY'] ?? randomBytes(32).toString('base64')
  const auth = createPanelAuth({
    config: {
      app: { url, keys: [key] },
      session_auth: { stateful: [url] },
      svc: { prefix: 'admin', panels: ['main'] },
    },
    stores: memoryStores(), // sqliteStores('panel.db') keeps the sessions over a restart
    users,
    twoFactor: totp({ issuer: 'Shop', factors, keys: [key], isRequiredFor: mustUseTwoFactor }),
  })
  const pruning = setInterval(() => void auth.prune().catch(console.error), 60_000)
  closeOnSignals(auth) // Nitro waits for open connections, and the streams of the bell stay open
  // The development server has no signal when it loads the code again.
  useNitroApp().hooks.hook('close', async () => {
    clearInterval(pruning)
    await auth.close()
  })
  return { auth }
})
