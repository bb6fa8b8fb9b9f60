import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { guard, mount, userOf } from '@svc/auth/fastify'
import { startService } from '../support/service.ts'
import { listening } from './listening.ts'
import { itKeepsTheContract } from './publish.ts'

describe('the adapter of Fastify 5', () => {
  itKeepsTheContract({
    async serve(auth) {
      // What Fastify makes of X-Forwarded-For is not what the service counts by.
      const app = fastify({ trustProxy: true })
      let calls = 0
      await app.register(mount(auth))
      app.get('/host/people', { onRequest: guard(auth) }, (request, reply) => {
        calls += 1
        return reply.send({ seenBy: userOf(auth, request)?.id })
      })
      app.setNotFoundHandler((_request, reply) => reply.status(404).send('nothing of the host'))
      await app.ready()
      return listening(app.server, () => calls)
    },
  })

  it('tells the host to register at the root when it has not', async () => {
    const { auth } = await startService()
    const app = fastify()
    void app.register((panel) => void panel.register(mount(auth)), { prefix: '/panel' })
    await expect(app.ready()).rejects.toThrow(
      'the service is registered below /panel: register it at the root, app.register(mount(auth))',
    )
  })
})
