import fastify from 'fastify'
import { guard, mount, userOf } from '@svc/auth/fastify'
import { auth } from './auth.ts'

const app = fastify()
await app.register(mount(auth)) // at the root, without a prefix
app.get('/api/orders', { onRequest: guard(auth) }, (request, reply) => {
  reply.send({ seenBy: userOf(auth, request)?.name })
})
await app.listen({ port: 3000 })
