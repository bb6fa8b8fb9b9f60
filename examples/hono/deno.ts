import { getConnInfo } from 'hono/deno'
import { createApp } from './app.ts'

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 3000) }, createApp(getConnInfo).fetch)
