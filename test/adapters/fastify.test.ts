import { once } from 'node:events'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
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

  it.each(['before', 'after'])(
    'serves from within a plugin that is registered %s a catch-all route',
    async (place) => {
      const { auth } = await startService({ config: { spa: {} } })
      const app = fastify()
      const files = () =>
        void app.register((plugin, _options, done) => {
          plugin.get('/*', (_request, reply) => reply.status(404).send('no such file'))
          done()
        })
      if (place === 'after') files()
      // As the generator's app.js: a plugin of its own, which registers others.
      void app.register(async (generated) => {
        await generated.register(async (plugins) => {
          await plugins.register(mount(auth))
        })
        generated.get('/host/people', { onRequest: guard(auth) }, () => 'in')
      })
      if (place === 'before') files()
      const statusOf = async (url: string) => (await app.inject({ url })).statusCode
      expect(await statusOf('/admin/main')).toBe(200)
      expect(await statusOf('/svc/api/csrf-cookie')).toBe(204)
      expect(await statusOf('/host/people')).toBe(401)
      expect(await statusOf('/elsewhere')).toBe(404)
    },
  )

  it('logs no missing address for a client that has left during an earlier hook', async () => {
    const { auth, log } = await startService()
    const app = fastify()
    app.addHook('onRequest', async ({ raw }) => void (await once(raw.socket.destroy(), 'close')))
    await app.register(mount(auth))
    await app.ready()
    const { send, close } = await listening(app.server)
    onTestFinished(close)
    await expect(send({ target: '/svc/api/openapi.json' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
    expect(log).toEqual([])
  })
})
