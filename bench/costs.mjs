import { mkdtempSync } from 'node:fs'
import { get } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import pg from 'pg'
import { startPostgres } from '../scripts/postgres.mjs'
import { startRedis } from '../scripts/redis.mjs'
import { people, SEED_PASSWORD } from '../build/panel/seed.js'
import { ask, reply, start } from './processes.mjs'
import { getUser } from './requests.mjs'
import { cookiesOf, send } from './visitors.mjs'

const API = '/svc/api'
const [ADA, BEA] = people.map(({ email }) => email)
/** Time for the work that a step leaves behind. */
const SETTLE_MS = 100
/** Queries that a node sends by itself to check its connections. */
const HEARTBEATS = new Set(['SELECT', 'Redis PING', 'Redis INFO'])

/** Counts the queries of every route to the stores, on each set of stores. */
export async function measureCosts({ folder, say }) {
  const [postgres, redis] = [await startPostgres(), await startRedis()]
  const sets = {
    PostgreSQL: [postgres.url],
    // Runs twice and counts the second run: by then Redis has loaded the scripts.
    'scripts for Redis': [`${postgres.url}?options=-csearch_path=first`, redis.url],
    'PostgreSQL and Redis': [`${postgres.url}?options=-csearch_path=second`, redis.url],
  }
  try {
    await run(postgres.url, 'CREATE SCHEMA first; CREATE SCHEMA second')
    const costs = {}
    for (const [name, servers] of Object.entries(sets)) {
      say(`counting on ${name}`)
      costs[name] = await countSteps(mkdtempSync(join(folder, 'costs-')), servers)
    }
    delete costs['scripts for Redis']
    return costs
  } finally {
    await redis.stop()
    await postgres.stop()
  }
}

async function run(url, sql) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

/**
 * Counts the queries of each step.
 *
 * @returns For each step, the number of statements of each kind.
 */
async function countSteps(folder, servers) {
  const child = start('servers/svc-costs.mjs', 0, folder, ...servers)
  const { port } = await reply(child)
  const told = async () => (await ask(child, { order: 'tell' })).answer
  const costs = {}
  for (const [name, step] of stepsAt(port, child)) {
    const before = await told()
    await step()
    await pause(SETTLE_MS)
    costs[name] = difference(before, await told())
  }
  child.disconnect()
  return costs
}

function difference(before, after) {
  return Object.entries(after)
    .map(([what, count]) => ({ what, count: count - (before[what] ?? 0) }))
    .filter(({ what, count }) => count > 0 && !HEARTBEATS.has(what))
}

/**
 * Returns a user's steps in order; each is counted separately. Steps in brackets only prepare
 * others.
 */
function stepsAt(port, child) {
  const held = { ada: {}, bea: {}, secret: '', codes: [] }
  const as = async (who, method, path, body) => {
    const answer = await send(port, method, API + path, held[who], body, { anyStatus: true })
    const { cookie, token } = cookiesOf(answer)
    if (cookie !== '') held[who] = { cookie, token: token ?? held[who].token }
    return answer.status === 204 ? null : answer.json()
  }
  const logIn = async (who, email, password) => as(who, 'POST', '/login', { email, password })
  return [
    ['GET /csrf-cookie', async () => as('ada', 'GET', '/csrf-cookie')],
    ['POST /login, wrong password', async () => logIn('ada', ADA, 'wrong')],
    ['POST /login, unknown email', async () => logIn('ada', 'nobody@example.com', 'wrong')],
    ['POST /login, right', async () => logIn('ada', ADA, SEED_PASSWORD)],
    ['GET /user', async () => as('ada', 'GET', '/user')],
    [
      'POST /two-factor/setup',
      async () => ({ secret: held.secret } = await as('ada', 'POST', '/two-factor/setup')),
    ],
    [
      'POST /two-factor/confirm',
      async () => {
        const code = new TOTP({ secret: held.secret }).generate()
        held.codes = (await as('ada', 'POST', '/two-factor/confirm', { code })).recovery_codes
      },
    ],
    ['POST /logout', async () => as('ada', 'POST', '/logout')],
    [
      'POST /login, right, a code is next',
      async () => {
        await as('ada', 'GET', '/csrf-cookie')
        await logIn('ada', ADA, SEED_PASSWORD)
      },
    ],
    [
      'POST /login/two-factor, wrong',
      async () => as('ada', 'POST', '/login/two-factor', { code: '000000' }),
    ],
    [
      'POST /login/two-factor, right',
      async () => as('ada', 'POST', '/login/two-factor', { code: held.codes[0] }),
    ],
    [
      '(Bea logs in)',
      async () => {
        await as('bea', 'GET', '/csrf-cookie')
        await logIn('bea', BEA, SEED_PASSWORD)
      },
    ],
    [
      'GET /notifications',
      async () => (held.list = (await as('bea', 'GET', '/notifications')).data),
    ],
    [
      'GET /notifications/unread-count',
      async () => as('bea', 'GET', '/notifications/unread-count'),
    ],
    [
      'POST /notifications/{id}/read',
      async () => as('bea', 'POST', `/notifications/${held.list[0].id}/read`),
    ],
    ['POST /notifications/read-all', async () => as('bea', 'POST', '/notifications/read-all')],
    ['notify, nobody listens', async () => ask(child, { order: 'notify', value: BEA })],
    ['GET /notifications/stream, opened', async () => openStream(port, held.bea.cookie)],
    ['notify, one stream is open', async () => ask(child, { order: 'notify', value: BEA })],
    ['GET /healthz', async () => send(port, 'GET', '/healthz')],
  ]
}

async function openStream(port, cookie) {
  const lines = getUser(cookie).toString().split('\r\n').slice(1)
  const headers = Object.fromEntries(lines.filter(Boolean).map((line) => line.split(/: (.*)/s, 2)))
  const [response] = await once(
    get({ port, path: `${API}/notifications/stream`, headers }),
    'response',
  )
  if (response.statusCode !== 200) throw new Error(`the stream answered ${response.statusCode}`)
  // The stream ends with the server.
  response.on('error', () => {})
  await once(response, 'data')
}

/** Prints the counts as Markdown: number and kind. */
export function reportCosts(costs) {
  const names = Object.keys(costs)
  console.log(`\n| step | ${names.join(' | ')} | of PostgreSQL and Redis |`)
  console.log(`|---|${names.map(() => '---:|').join('')}---|`)
  for (const step of Object.keys(costs.PostgreSQL)) {
    const totals = names.map((name) => costs[name][step].reduce((sum, { count }) => sum + count, 0))
    const details = costs[names.at(-1)][step].map(({ what, count }) => `${count} ${what}`)
    console.log(`| ${[step, ...totals, details.join(', ')].join(' | ')} |`)
  }
  console.log('\nOn PostgreSQL alone:\n')
  for (const [step, counted] of Object.entries(costs.PostgreSQL))
    console.log(`- ${step}: ${counted.map(({ what, count }) => `${count} ${what}`).join(', ')}`)
}
