// Measures many open bell streams on one process: the memory of each, and the time from sending
// a notification until the last stream has received it. The readers run in another process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPanelAuth, hashPassword } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mount } from '@svc/auth/node'
import { fakeUsers } from '@svc/auth/testing'

const HELP = `Usage: node --expose-gc bench/streams.mjs [--streams N] [--sends N] [--shared]

Opens N streams of the bell (default 1000), each of a user of its own, and measures the memory of the
process that serves them before and after. Then sends one notification to every user, several times
(--sends, default 5), and measures from the first send to the last event that a reader has read. With
--shared all streams are of one user, so that one send reaches them all. Build first: npm run build:code.`

const PASSWORD = 'correct horse battery staple'
const CHEAP = { memoryKiB: 64, passes: 1 }
const SETTLE_MS = 1000

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    sends: { type: 'string', default: '5' },
    shared: { type: 'boolean', default: false },
    // Starts this file as the process of the readers.
    readers: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const streams = Number(values.streams)
const sends = Number(values.sends)
const isCount = (number) => Number.isSafeInteger(number) && number > 0

if (values.readers) await readStreams()
else if (values.help) console.log(HELP)
else if (isCount(streams) && isCount(sends)) await measure()
else {
  console.error('--streams and --sends: whole numbers from 1 on')
  process.exitCode = 2
}

async function measure() {
  const count = values.shared ? 1 : streams
  const { auth, users, server, url } = await startService(count)
  const readers = fork(fileURLToPath(import.meta.url), ['--readers'])
  try {
    const cookies = []
    for (let number = 0; number < count; number += 1) cookies.push(await logIn(url, number))
    const before = await memory()
    const opening = performance.now()
    readers.send({ url, cookies, streams })
    await told(readers, 'open')
    const openMs = performance.now() - opening
    const after = await memory()
    console.log(`streams                ${streams}, of ${count} users; opened in ${inMs(openMs)}`)
    for (const kind of ['heapUsed', 'rss']) {
      const each = (after[kind] - before[kind]) / streams / 1024
      console.log(`${kind.padEnd(8)} per stream    ${each.toFixed(1)} KiB`)
    }
    const taken = []
    for (let time = 0; time < sends; time += 1) taken.push(await sendToAll(auth, users, readers))
    taken.sort((a, b) => a - b)
    console.log(
      `send to the last event ${inMs(taken[Math.floor(sends / 2)])} (median of ${sends}; ${inMs(taken[0])} to ${inMs(taken.at(-1))})`,
    )
  } finally {
    readers.kill()
    server.closeAllConnections()
    server.close()
    await auth.close()
  }
}

async function startService(count) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  const passwordHash = await hashPassword(PASSWORD, CHEAP)
  const people = Array.from({ length: count }, (_, number) => ({
    id: `u${number}`,
    email: `u${number}@x.test`,
    passwordHash,
  }))
  const users = fakeUsers(people)
  const auth = createPanelAuth({
    config: {
      app: { url, keys: ['bench-key-bench-key-bench-key-0123456789'] },
      session_auth: { stateful: [new URL(url).host] },
      svc: { prefix: 'admin', panels: ['main'] },
      streams: { per_session: 10_000, per_user: 10_000 },
      passwords: { memory_kib: CHEAP.memoryKiB, passes: CHEAP.passes },
      limits: { login: { max: 1_000_000, window_seconds: 60 } },
      spa: { off: true },
    },
    stores: memoryStores(),
    users,
  })
  server.on('request', mount(auth))
  const all = await Promise.all(people.map(async ({ id }) => users.findById(id, null)))
  return { auth, users: all, server, url }
}

async function logIn(url, number) {
  const headers = { origin: url, 'content-type': 'application/json' }
  const opened = await fetch(`${url}/svc/api/csrf-cookie`, { headers })
  const jar = cookiesOf(opened)
  const answer = await fetch(`${url}/svc/api/login`, {
    method: 'POST',
    headers: { ...headers, cookie: headerOf(jar), 'x-xsrf-token': jar['XSRF-TOKEN'] },
    body: JSON.stringify({ email: `u${number}@x.test`, password: PASSWORD }),
  })
  if (answer.status !== 200) throw new Error(`the login answered ${answer.status}`)
  return headerOf(cookiesOf(answer))
}

function cookiesOf(answer) {
  return Object.fromEntries(
    answer.headers.getSetCookie().map((line) => line.split(';')[0].split(/=(.*)/s, 2)),
  )
}

function headerOf(jar) {
  return Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}

async function memory() {
  await setTimeout(SETTLE_MS)
  globalThis.gc?.()
  return process.memoryUsage()
}

async function sendToAll(auth, users, readers) {
  const heard = told(readers, 'heard')
  const start = performance.now()
  const notification = {
    type: 'bench',
    via: () => ['database'],
    toDatabase: () => ({ title: 'Invoice 7 has been paid', url: '/invoices/7' }),
  }
  for (const user of users) await auth.notify(user, notification)
  await heard
  return performance.now() - start
}

function inMs(milliseconds) {
  return `${milliseconds.toFixed(1)} ms`
}

async function told(readers, what) {
  for (;;) {
    const [message] = await once(readers, 'message')
    if (message === what) return
  }
}

/**
 * Runs in the other process: opens the streams, and reports when all are open and when all have
 * received.
 */
async function readStreams() {
  const [{ url, cookies, streams: wanted }] = await once(process, 'message')
  let open = 0
  let heard = 0
  for (let number = 0; number < wanted; number += 1) {
    const sent = request(`${url}/svc/api/notifications/stream`, {
      agent: false,
      headers: { cookie: cookies[number % cookies.length] },
    })
    sent.on('error', (error) => console.error(error.message))
    sent.end()
    const [response] = await once(sent, 'response')
    if (response.statusCode !== 200) throw new Error(`a stream answered ${response.statusCode}`)
    response.setEncoding('utf8')
    await once(response, 'data')
    open += 1
    response.on('data', (text) => {
      if (!text.includes('event: notification')) return
      heard += 1
      if (heard % wanted === 0) process.send('heard')
    })
  }
  if (open === wanted) process.send('open')
}
