import { createServer } from 'node:http'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPanelAuth, hashPassword } from '@svc/auth'
import { mount } from '@svc/auth/node'
import { postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'
import { sqliteStores } from '@svc/auth/sqlite'
import { obey } from '../orders.mjs'
import { ORIGIN } from '../requests.mjs'

/*
 * The service on PostgreSQL, with Redis or without, or in a file of SQLite, with many users, each of
 * whom is logged in. It reports its memory, and sends a notification to one user or to every user.
 */

const PASSWORD = 'correct horse battery staple'
/** `passwords` of the config, by how logins are hashed. */
const HASHING = { cheap: { memory_kib: 64, passes: 1 }, default: {} }
const LOGINS_AT_ONCE = 8
const UNLIMITED = { max: 1_000_000, window_seconds: 60 }

const SETTLE_MS = 1000

const [, , database, count, tabs, hashing = 'cheap', redisUrl = ''] = process.argv
const passwords = HASHING[hashing]
const { memory_kib: memoryKiB, passes } = passwords
const passwordHash = await hashPassword(PASSWORD, { memoryKiB, passes })
const people = Array.from({ length: Number(count) }, (_, number) => ({
  id: `u${number}`,
  email: `u${number}@x.test`,
  passwordHash,
}))
const byId = new Map(people.map((person) => [person.id, person]))
const auth = createPanelAuth({
  config: {
    app: { url: ORIGIN, keys: ['bench: 0123456789 abcdefghijklmnopqrstuvwxyz'] },
    session_auth: { stateful: [new URL(ORIGIN).host] },
    svc: { prefix: 'admin', panels: ['main'] },
    passwords,
    limits: { login: UNLIMITED },
    streams: { per_session: Number(tabs), per_user: Number(tabs) },
    spa: { off: true },
  },
  stores: await storesOf(database, redisUrl),
  users: {
    findById: async (id) => byId.get(id) ?? null,
    findByEmail: async (email) => byId.get(email.split('@')[0]) ?? null,
    identify: ({ id, email }) => ({ id, email, name: null }),
    passwordHash: ({ passwordHash: hash }) => hash,
  },
})
await auth.ready()
const server = createServer(mount(auth)).listen(0, '127.0.0.1')
await once(server, 'listening')

const left = [...people]
const cookies = []
const lane = async () => {
  for (let person = left.pop(); person !== undefined; person = left.pop())
    cookies.push(await logIn(person))
}
await Promise.all(Array.from({ length: LOGINS_AT_ONCE }, lane))
obey({ memory, usage: async () => process.memoryUsage(), sendTo, sendToAll })
process.send({ port: server.address().port, cookies, password: PASSWORD })

async function storesOf(database, redisUrl) {
  if (!database.startsWith('postgres:')) return sqliteStores(database)
  const stores = await postgresStores(database)
  return redisUrl === '' ? stores : openRedisStores(redisUrl, stores)
}

async function memory() {
  setFlagsFromString('--expose-gc')
  await pause(SETTLE_MS)
  runInNewContext('gc')()
  return process.memoryUsage()
}

/** Sends each user a notification, some of them at once. */
async function sendToAll({ atOnce }) {
  const waiting = people.values()
  const lane = async () => {
    for (const person of waiting) await notify(person)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return Date.now()
}

async function sendTo(number) {
  await notify(people[number])
}

/** Its title is the time of sending. */
async function notify(person) {
  await auth.notify(person, {
    type: 'bench',
    via: () => ['database'],
    toDatabase: () => ({ title: String(Date.now()), url: '/invoices/7' }),
  })
}

async function logIn({ email }) {
  const headers = { referer: `${ORIGIN}/admin/main`, 'content-type': 'application/json' }
  const guest = cookiesOf(await send('GET', '/svc/api/csrf-cookie', headers))
  const token = guest.find((pair) => pair.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length)
  const body = JSON.stringify({ email, password: PASSWORD })
  const length = String(body.length)
  const more = { cookie: guest.join('; '), 'x-xsrf-token': token, 'content-length': length }
  return cookiesOf(await send('POST', '/svc/api/login', { ...headers, ...more }, body)).join('; ')
}

/** Without the network: thousands of logins by a client of HTTP would leave its memory in the server. */
async function send(method, target, headers, text) {
  const reply = await auth.handle({
    method,
    target,
    address: '127.0.0.1',
    header: (name) => headers[name] ?? null,
    body: async () => (text === undefined ? null : new TextEncoder().encode(text)),
  })
  if (reply.status >= 300) throw new Error(`${method} ${target} answered ${reply.status}`)
  return reply
}

function cookiesOf({ headers }) {
  return [headers['set-cookie']].flat().map((line) => line.split(';')[0])
}
