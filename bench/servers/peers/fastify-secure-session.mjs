import session from '@fastify/secure-session'
import Fastify from 'fastify'
import { randomBytes } from 'node:crypto'
import { announce } from '../announce.mjs'
import { USER } from '../users-table.mjs'
import { openPeerDatabase } from './peer-database.mjs'

/* Fastify + @fastify/secure-session: the session is a sealed cookie, which nobody can end. */

const [, , folder, url] = process.argv
const { findUser } = await openPeerDatabase(folder, url)

const app = Fastify()
app.register(session, { key: randomBytes(32), cookie: { path: '/', httpOnly: true } })
app.post('/login', async (request, reply) => {
  request.session.set('userId', USER.id)
  return reply.status(204).send()
})
app.get('/svc/api/user', async (request, reply) => {
  const found = await findUser(request.session.get('userId'))
  return reply.status(found === undefined ? 401 : 200).send(found ?? null)
})

await app.listen({ port: 0 })
announce({ port: app.server.address().port })
