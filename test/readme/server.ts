// server.ts
import express from 'express'
import { createPanelAuth } from '@svc/auth'
import { guard, mount, userOf } from '@svc/auth/express'
import { closeOnSignals } from '@svc/auth/node'
import { sqliteStores } from '@svc/auth/sqlite'
import { db, users } from './users.ts'

const port = Number(process.env.PORT ?? 3000)
const url = process.env.APP_URL ?? `http://localhost:${port}`

const auth = createPanelAuth({
  config: {
    app: { url, keys: [process.env.APP_KEY ?? ''] },
    session_auth: { stateful: [url] },
    svc: { prefix: 'admin', panels: ['main'] },
  },
  stores: sqliteStores(db),
  users,
})

const app = express()
app.use(mount(auth)) // the API at /svc/api and the pages at /admin/main
app.get('/api/orders', guard(auth), (request, response) => {
  const user = userOf(auth, request)
  response.json({ seenBy: user?.name }) // never the whole row: it holds the password hash
})

app.listen(port).once('listening', () => console.log(`${url}/admin/main`))
setInterval(() => void auth.prune().catch(console.error), 60_000).unref()
closeOnSignals(auth) // finishes running requests, and ends the process
