import { createPanelAuth } from '@svc/auth'
import { sqliteStores } from '@svc/auth/sqlite'
import { users } from './users.ts' // findById, findByEmail, identify, passwordHash

const url = process.env['APP_URL'] ?? 'http://localhost:3000'

export const auth = createPanelAuth({
  config: {
    app: { url, keys: [process.env['APP_KEY'] ?? ''] },
    session_auth: { stateful: [new URL(url).host] },
    svc: { prefix: 'admin', panels: ['main'] },
  },
  stores: sqliteStores('panel.db'),
  users,
})

setInterval(() => void auth.prune().catch(console.error), 60_000).unref()
process.once('SIGTERM', () => void auth.close())
