import cookie from '@fastify/cookie'
import session from '@fastify/session'
import Fastify from 'fastify'
import { randomBytes } from 'node:crypto'
import { announce } from '../announce.mjs'
import { USER } from '../users-table.mjs'
import { openPeerDatabase } from './peer-database.mjs'
import { SqliteSessionStore } from './sqlite-session-store.mjs'

/* Fastify + @fastify/session, set up as documented; sessions beside the users. */

const [, , folder] = process.argv
const { database, findUser } = await openPeerDatabase(folder, '')

const app = Fastify()
app.register(cookie)
app.register(session, {
  secret: randomBytes(32).toString('hex'),
  saveUninitialized: false,
  cookie: { secure: false, maxAge: 2 * 60 * 60 * 1000 },
  store: new SqliteSessionStore(database),
})
app.post('/login', async (request, reply) => {
  request.session.userId = USER.id
  return reply.status(204).send()
})
app.get('/svc/api/user', async (request, reply) => {
  const found = findUser(request.session.userId)
  return reply.status(found === undefined ? 401 : 200).send(found ?? null)
})

await app.listen({ port: 0 })
announce({ port: app.server.address().port })
