import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { createApp } from './app.ts'

serve({ fetch: createApp(getConnInfo).fetch, port: Number(process.env['PORT'] || 3000) })
