import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { describe } from 'vitest'
import { guard, mount, userOf } from '@svc/auth/hono'
import type { Server } from 'node:http'
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
})
