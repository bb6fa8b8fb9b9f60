import { getConnInfo } from 'hono/bun'
import { createApp } from './app.ts'

export default {
  fetch: createApp(getConnInfo).fetch,
  port: Number(process.env['PORT'] || 3000),
  idleTimeout: 60, // Bun ends idle connections after 10 seconds; the bell's stream writes every 25
}
