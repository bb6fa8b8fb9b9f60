import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo' // Bun and Deno have their own
import { Hono } from 'hono'
import { guard, mount, userOf } from '@svc/auth/hono'
import { auth } from './auth.ts'

const app = new Hono()
app.use(mount(auth, getConnInfo))
app.get('/api/orders', guard(auth, getConnInfo), (context) =>
  context.json({ seenBy: userOf(auth, context)?.name }),
)
serve({ fetch: app.fetch, port: 3000 })
