import { once } from 'node:events'
import express from 'express'
import { describe, expect, it } from 'vitest'
import type { Middleware } from '@svc/auth'
import { guard, mount, userOf } from '@svc/auth/express'
import { closedAfterTest } from '../support/after-test.ts'
import { startService, svc } from '../support/service.ts'
import { itKeepsTheContract } from './publish.ts'
import { listening } from './listening.ts'

describe('the adapter of Express 5', () => {
  itKeepsTheContract({
    async serve(auth) {
      const app = express()
      let calls = 0
      // What Express makes of X-Forwarded-For is not what the service counts by.
      app.set('trust proxy', true)
      app.use(mount(auth), express.json())
      app.get('/host/people', guard(auth), (request, response) => {
        calls += 1
        response.json({ seenBy: userOf(auth, request)?.id })
      })
      app.use((_request, response) => void response.status(404).send('nothing of the host'))
      const server = app.listen(0)
      await once(server, 'listening')
      return listening(server, () => calls)
    },
  })

  it('tells the host to mount at the root when it has not', async () => {
    const { auth } = await startService()
    const app = express()
    app.use('/panel', mount(auth))
    app.use(((error: Error, _request, response, _next) => {
      response.status(500).send(error.message)
    }) satisfies express.ErrorRequestHandler)
    const host = closedAfterTest(await listening(app.listen(0)))
    const answer = await host.send({ target: '/panel/svc/api/user' })
    expect(Buffer.from(answer.body).toString()).toBe(
      'the service is mounted at /panel: mount it at the root, app.use(mount(auth))',
    )
  })

  it('shows the path that the client has sent to the middleware of a guard on a router', async () => {
    const seen: string[] = []
    const note: Middleware = async ({ request }, next) => {
      seen.push(request.target)
      return next()
    }
    const { auth } = await startService({ config: { svc: { ...svc, middleware: [note] } } })
    const router = express.Router()
    router.use(guard(auth), (_request, response) => void response.end())
    const app = express().use('/shops/acme', router)
    const host = closedAfterTest(await listening(app.listen(0)))
    await host.send({ target: '/shops/acme/orders?of=una' })
    expect(seen).toEqual(['/shops/acme/orders?of=una'])
  })

  it('has no user on a route behind no guard or behind the guard of another service', async () => {
    const [mine, other] = [await startService(), await startService()]
    const app = express()
    app.get('/unguarded', (request, response) => {
      response.json(userOf(mine.auth, request))
    })
    app.get('/other', guard(mine.auth), (request, response) => {
      response.json({ mine: userOf(mine.auth, request)?.id, other: userOf(other.auth, request) })
    })
    const host = closedAfterTest(await listening(app.listen(0)))
    const una = mine.browser()
    await una.logIn('u1@x.test')
    const headers: [string, string][] = [
      ['Origin', mine.url],
      ['Cookie', `svc_session=${una.cookie('svc_session')}`],
    ]
    const [unguarded, guarded] = [
      await host.send({ target: '/unguarded', headers }),
      await host.send({ target: '/other', headers }),
    ]
    expect(JSON.parse(Buffer.from(unguarded.body).toString())).toBeNull()
    expect(JSON.parse(Buffer.from(guarded.body).toString())).toEqual({ mine: 'u1', other: null })
  })

  it('keeps its headers behind a middleware that sets those of writeHead one by one', async () => {
    const { auth } = await startService()
    const app = express()
    app.use(setHeadersSingly, mount(auth))
    const host = closedAfterTest(await listening(app.listen(0)))
    const answer = await host.send({ target: '/svc/api/user' })
    expect(answer.status).toBe(401)
    expect(new Map(answer.headers).get('content-type')).toMatch(/^application\/json/)
  })
})

/** Does what `on-headers` 1.0 does, which compression and express-session used until 2025. */
const setHeadersSingly: express.RequestHandler = (_request, response, next) => {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (status: number, reason?: unknown, headers?: object) => {
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
    return writeHead(status, String(reason))
  }
  next()
}
