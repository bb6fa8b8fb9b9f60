// Many open streams of the bell on one process: the memory of each, the delay of a notification to
// every user, and what somebody else's `GET /svc/api/user` waits for meanwhile.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../scripts/postgres.mjs'
import { tooFewFiles } from './open-files.mjs'
import { probeDuring, spread } from './probe.mjs'
import { ordersTo } from './orders.mjs'
import { ask, pinDatabase, reply, start } from './processes.mjs'
import { median } from './report.mjs'

const HELP = `Usage: node bench/streams.mjs [--users N] [--tabs N] [--at-once N] [--rounds N] [--store NAME]

Opens streams of the bell on one process: --users (1000) with --tabs (1) streams each. Measures the memory of
the process before and after. Then, in each of --rounds (3), sends every user a notification, --at-once (1) of
them at a time, and measures how long each takes to its readers, and how long an authenticated GET of another
user takes, 50 times a second, meanwhile and before. --store is sqlite or postgres (both). The readers are a
process of their own. Run npm run build:code first. The exit code is 1 when a target is missed: 20 KiB of heap
for each stream, and a p99 of the GET of 3 times the quiet one.`

const TARGET = { heapKiB: 20, times: 3 }
const QUIET_MS = 5000
const AFTER_MS = 1000

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000' },
    tabs: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    store: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const [users, tabs, atOnce, rounds] = [
  values.users,
  values.tabs,
  values['at-once'],
  values.rounds,
].map(Number)
const streams = users * tabs
const isCount = (number) => Number.isSafeInteger(number) && number > 0
const stores = { sqlite: onSqlite, postgres: onPostgres }
const chosen = Object.keys(stores).filter((name) => name === (values.store ?? name))

if (values.help) console.log(HELP)
else if (![users, tabs, atOnce, rounds].every(isCount) || chosen.length === 0) {
  console.error(HELP)
  process.exitCode = 2
} else if (tooFewFiles(streams) !== null) {
  console.error(tooFewFiles(streams))
  process.exitCode = 2
} else for (const name of chosen) await stores[name]()

async function onSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-streams-'))
  try {
    await measure('SQLite', join(folder, 'svc.sqlite'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres() {
  const server = await startPostgres()
  pinDatabase(server.pid, 1)
  try {
    await measure('PostgreSQL', server.url)
  } finally {
    await server.stop()
  }
}

async function measure(name, database) {
  // One user more, who has no stream and sends the GET.
  const server = start('servers/svc-streams.mjs', 0, database, String(users + 1), String(tabs))
  const readers = start('readers.mjs', 1)
  try {
    const { port, cookies } = await reply(server)
    const order = ordersTo(server)
    const [own, ...others] = cookies
    const before = await order('memory')
    const opening = performance.now()
    const all = Array.from({ length: streams }, (_, index) => others[index % users])
    await ask(readers, { job: 'open', port, cookies: all })
    const openMs = performance.now() - opening
    const after = await order('memory')
    console.log(`${name}: ${users} users, ${streams} streams, opened in ${inSeconds(openMs)}`)
    reportMemory(before, after)
    const probe = (during) => probeDuring(port, own, during)
    const ratios = []
    for (let round = 1; round <= rounds; round += 1)
      ratios.push(await measureRound(round, { order, readers, probe }))
    if (median(ratios) > TARGET.times) process.exitCode = 1
  } finally {
    readers.disconnect()
    server.disconnect()
  }
}

function reportMemory(before, after) {
  for (const kind of ['heapUsed', 'rss']) {
    const each = (after[kind] - before[kind]) / streams / 1024
    console.log(`  ${kind} of each stream: ${each.toFixed(1)} KiB`)
    if (kind === 'heapUsed' && each > TARGET.heapKiB) process.exitCode = 1
  }
}

/** @returns the p99 of the GET meanwhile, in times the quiet one. */
async function measureRound(round, { order, readers, probe }) {
  const quiet = await probe(() => pause(QUIET_MS))
  let sending = null
  const busy = await probe(async () => {
    const firstAt = Date.now()
    const receiving = ask(readers, { job: 'waitForNotifications', count: streams })
    const lastSentAt = await order('sendToAll', { atOnce })
    const { delays, lastAt } = await receiving
    sending = { ...spread(delays), sentMs: lastSentAt - firstAt, receivedMs: lastAt - firstAt }
  })
  await pause(AFTER_MS)
  const ratio = busy.p99 / quiet.p99
  console.log(
    `  round ${round}: sent in ${inSeconds(sending.sentMs)}, the last one received after ${inSeconds(sending.receivedMs)}; ` +
      `delay of one: ${percentiles(sending)}`,
  )
  console.log(
    `           GET /svc/api/user: quiet ${percentiles(quiet)}; meanwhile ${percentiles(busy)}, ` +
      `p99 ${ratio.toFixed(1)} times the quiet one, ${busy.unavailable} of 503`,
  )
  return ratio
}

function percentiles({ p50, p99, longest }) {
  return `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)} ms`
}

function inSeconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
