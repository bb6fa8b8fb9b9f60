import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { guard, mount, userOf } from '@svc/auth/hono'
import type { Server } from 'node:http'
import { bytesOf, sendRaw } from '../support/raw.ts'
import { startService } from '../support/service.ts'
import { listening } from './listening.ts'
import { itKeepsTheContract } from './publish.ts'

describe('the adapter of Hono 4', () => {
  itKeepsTheContract({
    async serve(auth) {
      const app = new Hono()
      let calls = 0
      app.use(mount(auth, getConnInfo))
      app.get('/host/people', guard(auth, getConnInfo), (context) => {
        calls += 1
        return context.json({ seenBy: userOf(auth, context)?.id })
      })
      app.notFound((context) => context.text('nothing of the host', 404))
      return listening(createAdaptorServer(app) as Server, () => calls)
    },
  })

  it.each(['/svc/api/csrf-cookie', '/svc/api/user', '/admin/main', '/host/people', '/elsewhere'])(
    'answers 400 on Node to a target with credentials before %s, and logs nothing',
    async (path) => {
      const { auth, log } = await startService()
      const app = new Hono()
      app.use(mount(auth, getConnInfo))
      app.get('/host/people', guard(auth, getConnInfo), (context) => context.text('in'))
      const { url, close } = await listening(createAdaptorServer(app) as Server)
      const headers = [
        ['Host', 'panel.test'],
        ['Connection', 'close'],
      ] as const
      const before = log.length
      const answers = await sendRaw(url, bytesOf({ target: `http://x@y${path}`, headers }))
      expect(answers.map(({ status }) => status)).toEqual([400])
      expect(log.slice(before)).toEqual([])
      await close()
    },
  )

  it('leaves the length of a body to the platform', async () => {
    const { auth } = await startService()
    const app = new Hono()
    const connInfo = () => ({ remote: { address: '127.0.0.1' } })
    app.use(mount(auth, connInfo))
    app.get('/host/people', guard(auth, connInfo))
    for (const path of ['/svc/api/user', '/host/people']) {
      const { status, headers } = await app.request(path)
      expect([status, headers.get('content-length')]).toEqual([401, null])
    }
  })
})
