import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres.mjs'
import { startRedis } from '../scripts/redis.mjs'
import { startMix } from './mix.mjs'
import { tooFewFiles } from './open-files.mjs'
import { ordersTo } from './orders.mjs'
import { spread } from './probe.mjs'
import { ask, pinDatabase, pins, reply, start } from './processes.mjs'
import { printVerdicts } from './report.mjs'
import { logIn, send } from './visitors.mjs'

const API = '/svc/api'
const STREAMS = 10_000
/** Half of the peak of a million users in docs/scaling.md: reads, visits and notifications a second. */
const EVERY_MS = { read: 2, visit: 1000 / 35, notify: 1000 / 5 }
const WINDOW_MS = 60_000
/** The time in which the last notifications may arrive after the load has ended. */
const SETTLE_MS = 3000
/** The core of the node and its hashing, and the core of everything else. */
const [NODE_CORE, OTHER_CORE] = [0, 1]

/** The stores of the sessions, as `--store` names them. */
const PLACES = {
  sqlite: async (folder) => ({ database: join(folder, 'svc.sqlite'), stop: async () => {} }),
  postgres: async () => {
    const { pid, url, stop } = await startPostgres()
    pinDatabase(pid, OTHER_CORE)
    return { database: url, stop }
  },
  redis: async () => {
    const [postgres, redis] = [await startPostgres(), await startRedis()]
    for (const { pid } of [postgres, redis]) pinDatabase(pid, OTHER_CORE)
    const stop = async () => void (await Promise.all([postgres.stop(), redis.stop()]))
    return { database: postgres.url, redisUrl: redis.url, stop }
  },
}

export const capacityPlaces = Object.keys(PLACES)

/**
 * Measures one node on one core, with 10,000 open streams, under a mixed load: reads, visits from the
 * login to the logout, and notifications, each of somebody else.
 */
export async function measureCapacity({ folder, minutes, store, say }) {
  const tooFew = tooFewFiles(STREAMS)
  if (tooFew !== null) throw new Error(tooFew)
  if (pins) spawnSync('taskset', ['-c', '-p', String(OTHER_CORE), String(process.pid)])
  const place = await PLACES[store](mkdtempSync(join(folder, 'capacity-')))
  const values = [place.database, String(STREAMS), '1', 'default', place.redisUrl ?? '']
  say(`logging ${STREAMS} users in, on ${store}`)
  const server = start('servers/svc-streams.mjs', NODE_CORE, ...values)
  const readers = start('readers.mjs', OTHER_CORE)
  try {
    const { port, cookies, password } = await reply(server)
    await ask(readers, { job: 'open', port, cookies })
    say(`${STREAMS} streams are open`)
    const order = ordersTo(server)
    const steps = stepsOf({ port, cookies, password, order })
    return await runMix({ steps, order, readers, minutes, say })
  } finally {
    readers.disconnect()
    server.disconnect()
    await place.stop()
  }
}

function stepsOf({ port, cookies, password, order }) {
  const any = () => Math.floor(Math.random() * STREAMS)
  const ended = async (answer) => (await answer).arrayBuffer()
  const read = async () => {
    await ended(send(port, 'GET', `${API}/user`, { cookie: cookies[any()] }))
  }
  const visit = async () => {
    const { user: visitor } = await logIn(port, { email: `u${any()}@x.test`, password })
    await ended(send(port, 'GET', `${API}/notifications`, visitor))
    await ended(send(port, 'POST', `${API}/logout`, visitor))
  }
  return { read, visit, notify: async () => order('sendTo', any()) }
}

/** Returns what was measured in each minute, and what came of the notifications and streams. */
async function runMix({ steps, order, readers, minutes, say }) {
  const windows = []
  let done = newWindow(steps)
  const stop = startMix(steps, EVERY_MS, (name, ms, error) => {
    if (error === null) done[name].push(ms)
    else done.failures.push(`${name}: ${error.message}`)
  })
  let sent = 0
  for (let minute = 1; minute <= minutes; minute += 1) {
    const before = cpus()
    await pause(WINDOW_MS)
    const [over, busy] = [done, busyBetween(before, cpus())]
    done = newWindow(steps)
    sent += over.notify.length
    const { heapUsed, rss } = await order('usage')
    windows.push({ ...summaryOf(over), busy, heapUsed, rss })
    say(describe(minute, windows.at(-1)))
  }
  await stop()
  sent += done.notify.length
  await pause(SETTLE_MS)
  return { windows, sent, ...(await ask(readers, { job: 'status' })) }
}

function newWindow(steps) {
  const names = [...Object.keys(steps), 'failures']
  return Object.fromEntries(names.map((name) => [name, []]))
}

function summaryOf({ failures, ...latencies }) {
  const entries = Object.entries(latencies).map(([name, all]) => [name, spread(all)])
  return { failures, ...Object.fromEntries(entries) }
}

/** Returns the busy share of each core. */
function busyBetween(before, after) {
  return after.map(({ times }, core) => {
    const spent = Object.keys(times).map((kind) => times[kind] - before[core].times[kind])
    const all = spent.reduce((sum, ms) => sum + ms, 0)
    return 1 - (times.idle - before[core].times.idle) / all
  })
}

function describe(minute, { read, visit, failures, busy, rss }) {
  return (
    `${minute} min: read p99 ${read.p99.toFixed(1)} ms, visit p99 ${visit.p99.toFixed(0)} ms, ` +
    `${failures.length} failed, ${percent(busy[NODE_CORE])} of the node's core, RSS ${inMb(rss)} MB`
  )
}

/**
 * Prints a row for each step, and the first and last minute.
 *
 * @returns `false` if a request failed, a stream ended, or a notification did not arrive.
 */
export function reportCapacity({ windows, sent, delays, openStreams, reopened }) {
  console.log(
    '\n| step | a second | p50 ms | p99 ms, median of the minutes | worst minute | longest |',
  )
  console.log('|---|---:|---:|---:|---:|---:|')
  for (const name of Object.keys(EVERY_MS))
    printStep(
      name,
      windows.map((one) => one[name]),
    )
  const arrival = spread(delays)
  console.log(
    `\nA notification reached its stream in ${arrival.p50.toFixed(1)} ms (p50), ${arrival.p99.toFixed(1)} ms (p99).`,
  )
  for (const [title, { busy, heapUsed, rss }] of [
    ['First minute', windows[0]],
    ['Last minute', windows.at(-1)],
  ])
    console.log(
      `${title}: ${busy.map(percent).join(' and ')} of the cores, heap ${inMb(heapUsed)} MB, RSS ${inMb(rss)} MB.`,
    )
  const failures = windows.flatMap((one) => one.failures)
  const causes = [...new Set(failures)].join('; ')
  return printVerdicts([
    { is: `${failures.length} requests failed (0) ${causes}`, met: failures.length === 0 },
    { is: `${openStreams} streams are open (${STREAMS})`, met: openStreams === STREAMS },
    { is: `${reopened} streams were opened again (0)`, met: reopened === 0 },
    { is: `${delays.length} of ${sent} notifications arrived`, met: delays.length === sent },
  ])
}

function printStep(name, minutes) {
  const ascending = (value) => minutes.map(value).toSorted((a, b) => a - b)
  const middle = (value) => ascending(value)[Math.floor(minutes.length / 2)]
  const worst = (value) => ascending(value).at(-1)
  const cells = [
    middle(({ answered }) => (answered * 1000) / WINDOW_MS).toFixed(0),
    middle(({ p50 }) => p50).toFixed(1),
    middle(({ p99 }) => p99).toFixed(1),
    worst(({ p99 }) => p99).toFixed(1),
    worst(({ longest }) => longest).toFixed(0),
  ]
  console.log(`| ${[name, ...cells].join(' | ')} |`)
}

function percent(share) {
  return `${Math.round(share * 100)} %`
}

function inMb(bytes) {
  return (bytes / 1e6).toFixed(0)
}
