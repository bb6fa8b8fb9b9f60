import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { reply, start } from './processes.mjs'
import { hammer } from './reads.mjs'
import { median } from './report.mjs'
import { getUser, headOf, login } from './requests.mjs'
import { logIn, send } from './visitors.mjs'

const WARM_UP_SECONDS = 2
const LONG_LANGUAGES = 'de-CH;q=0.9,'.repeat(1200)

const UNKNOWN = `svc_session=${'a'.repeat(43)}`

/** The refusals by name: their server, their request for its visitors, and the expected status. */
const REFUSALS = [
  { name: 'GET /user, 200', kind: '', status: 200, request: ({ user }) => getUser(user.cookie) },
  { name: 'GET /user, 401', kind: '', status: 401, request: () => getUser('none=1') },
  {
    name: 'GET /notifications/stream, 401',
    kind: '',
    status: 401,
    request: () => Buffer.from(headOf('GET /svc/api/notifications/stream', ['Cookie: none=1'])),
  },
  { name: 'GET /user, 401, unknown id', kind: '', status: 401, request: () => getUser(UNKNOWN) },
  {
    name: 'GET /notifications/stream, 401, unknown id',
    kind: '',
    status: 401,
    request: () => Buffer.from(headOf('GET /svc/api/notifications/stream', [`Cookie: ${UNKNOWN}`])),
  },
  {
    name: 'GET /user, 401, Accept-Language of 14 kB',
    kind: '',
    status: 401,
    request: () =>
      Buffer.from(headOf('GET /svc/api/user', ['Cookie: none=1'], { languages: LONG_LANGUAGES })),
  },
  {
    name: 'POST /logout, 419',
    kind: '',
    status: 419,
    request: ({ user }) =>
      Buffer.from(headOf('POST /svc/api/logout', [`Cookie: ${user.cookie}`, 'Content-Length: 0'])),
  },
  {
    name: 'POST /login, 429',
    kind: '',
    status: 429,
    request: ({ guest }) => login(guest, 'nobody@example.com'),
  },
  {
    name: 'POST /login, 422 throttled',
    kind: 'throttle',
    status: 422,
    request: ({ guest }) => login(guest, 'nobody@example.com'),
  },
]

/** Measures the CPU time of refused requests. */
export async function measureRefusals({ load, folder, rounds, seconds, say }) {
  const servers = {
    '': await startRefusing(folder, ''),
    throttle: await startRefusing(folder, 'throttle'),
  }
  const results = REFUSALS.map(({ name }) => ({ name, results: [] }))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { name, kind, status, request }] of REFUSALS.entries()) {
      const server = servers[kind]
      const job = { request: request(server.visitors).toString('latin1'), status }
      const result = await hammer(
        load,
        { ...server, ...job },
        round === 0 ? WARM_UP_SECONDS : seconds,
      )
      if (round === 0) continue
      results[index].results.push(result)
      say(`round ${round}/${rounds}  ${name}: ${result.cpuPerThousand.toFixed(0)} µs`)
    }
  }
  for (const { child } of Object.values(servers)) child.disconnect()
  return results
}

async function startRefusing(folder, kind) {
  const child = start('servers/svc-refusals.mjs', 0, mkdtempSync(join(folder, 'server-')), kind)
  const { port } = await reply(child)
  const { guest, user } = await logIn(port)
  // Until the limit refuses, a login takes the time of a hash.
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const wrong = { email: 'nobody@example.com', password: 'wrong' }
    await send(port, 'POST', '/svc/api/login', guest, wrong, { anyStatus: true })
  }
  return { child, port, visitors: { guest, user } }
}

/** Prints the medians of the rounds as Markdown. */
export function reportRefusals(results) {
  console.log('\n| request | CPU µs | of an admitted read |')
  console.log('|---|---:|---:|')
  const [read] = results
  for (const { name, results: rounds } of results) {
    const cpu = median(rounds.map(({ cpuPerThousand }) => cpuPerThousand))
    const ratio = median(
      rounds.map(
        ({ cpuPerThousand }, round) => cpuPerThousand / read.results[round].cpuPerThousand,
      ),
    )
    console.log(`| ${name} | ${cpu.toFixed(0)} | ${ratio.toFixed(2)} |`)
  }
}
