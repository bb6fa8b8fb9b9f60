import express, { type RequestHandler } from 'express'
import { createPanelAuth, type PanelAuthOptions } from '@svc/auth'
import { guard, mount, userOf } from '@svc/auth/express'
import type { Person } from './users.ts'

interface Places {
  /** The origin of this application, such as https://api.example.com. */
  readonly api: string
  /** The front end, such as https://panel.example.com. */
  readonly frontEnd: string
}

/** Creates the API on one subdomain for a front end on another. */
export function createApi(
  { api, frontEnd }: Places,
  parts: Omit<PanelAuthOptions<Person>, 'config'>,
) {
  const auth = createPanelAuth({
    config: {
      app: { url: api, keys: [process.env['APP_KEY'] ?? ''] },
      // Never *.example.com: every subdomain could then act for the user.
      session_auth: { stateful: [new URL(frontEnd).host, new URL(api).host] },
      svc: { prefix: 'admin', panels: ['main'] },
      spa: { off: true },
    },
    ...parts,
  })
  const app = express()
  app.use(mount(auth)) // answers the preflights of its own routes
  app.use('/api', allowPagesOf(frontEnd), guard(auth), express.json())
  app.get('/api/orders', (request, response) => {
    response.json({ seenBy: userOf(auth, request)?.name })
  })
  app.post('/api/orders', (request, response) => {
    response.status(201).json({ orderedBy: userOf(auth, request)?.name })
  })
  // The verification link leads back to the panel on this host.
  app.use('/admin', (request, response) => response.redirect(frontEnd + request.originalUrl))
  return { app, auth }
}

/** Lets pages of one origin read the responses, and answers their preflights. */
function allowPagesOf(origin: string): RequestHandler {
  return (request, response, next) => {
    response.vary('Origin')
    if (request.headers.origin !== origin) return next()
    response.set('Access-Control-Allow-Origin', origin)
    response.set('Access-Control-Allow-Credentials', 'true')
    if (request.method !== 'OPTIONS') return next()
    response.set('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
    response.set('Access-Control-Allow-Headers', 'Content-Type, X-XSRF-TOKEN')
    response.sendStatus(204)
  }
}
