import { createPanelAuth } from '@svc/auth'
import { sqliteStores } from '@svc/auth/sqlite'
import { users } from './users.ts' // findById, findByEmail, identify, passwordHash

export const auth = createPanelAuth({
  config: {
    app: { url: 'https://panel.example.com', keys: [process.env['APP_KEY'] ?? ''] },
    session_auth: { stateful: ['panel.example.com'] },
    svc: { prefix: 'admin', panels: ['main'] },
  },
  stores: sqliteStores('panel.db'),
  users,
})
