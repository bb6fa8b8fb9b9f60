import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startMariadb } from '../scripts/mariadb.mjs'
import { startPostgres } from '../scripts/postgres.mjs'
import { startRedis } from '../scripts/redis.mjs'
import { newMysqlDatabase, newPostgresDatabase } from './databases.mjs'
import { fill } from './fill.mjs'
import { ask, pinDatabase, reply, start } from './processes.mjs'
import { hammer } from './reads.mjs'
import { median } from './report.mjs'
import { visit } from './visitors.mjs'

const SMALL = [1000, 100_000]
/** Counts of failed logins on record; only the largest store has them. */
const ATTEMPTS = 1_000_000
const STEADY = { rate: 500, connections: 16 }
const LOGIN_SECONDS = 6
const SETTLE_MS = 5000
const WARM_UP_SECONDS = 2

/** The stores by name; each opens empty places for a panel and the function that ends them. */
const STORES = {
  async SQLite(folder) {
    const place = () => ({ folder: mkdtempSync(join(folder, 'growth-')) })
    return { place, pids: [], stop: () => {} }
  },
  PostgreSQL: (folder) =>
    onDatabaseServer(folder, startPostgres, newPostgresDatabase, 'databaseUrl'),
  MariaDB: (folder) => onDatabaseServer(folder, startMariadb, newMysqlDatabase, 'mysqlUrl'),
  async Redis(folder) {
    const [servers, pids] = [[], []]
    const place = async () => {
      const server = await startRedis()
      servers.push(server)
      pids.push(server.pid)
      return { folder: mkdtempSync(join(folder, 'growth-')), redisUrl: server.url }
    }
    return { place, pids, stop: async () => Promise.all(servers.map(async (one) => one.stop())) }
  },
}

async function onDatabaseServer(folder, startServer, newPlace, setting) {
  const server = await startServer()
  let made = 0
  const place = async () => ({
    folder: mkdtempSync(join(folder, 'growth-')),
    [setting]: await newPlace(server.url, `growth_${(made += 1)}`),
  })
  return { place, pids: [server.pid], stop: () => server.stop() }
}

export const growingStores = Object.keys(STORES)

/**
 * Measures reads, starts and logins of the panel on stores with few and with many sessions. The
 * stores of all sizes are up together, and each round measures every one.
 */
export async function measureGrowth({ stores, rows, folder, ...job }) {
  const measured = {}
  for (const name of stores) {
    const { place, pids, stop } = await STORES[name](folder)
    try {
      const sizes = []
      for (const sessions of [...SMALL.filter((size) => size < rows), rows]) {
        const attempts = sessions === rows ? ATTEMPTS : 0
        sizes.push(await filled({ name, place: await place(), sessions, attempts, say: job.say }))
      }
      // The server may still be busy with the pages that were filled last.
      await pause(SETTLE_MS)
      // Only now: it runs before everything else on its core from then on.
      for (const pid of pids) pinDatabase(pid, 1)
      job.say(`${name}: measuring`)
      measured[name] = await measureSizes(name, sizes, job)
    } finally {
      await stop()
    }
  }
  return measured
}

/** Lets a panel create its tables and a session, and fills the store with copies of it. */
async function filled({ name, place, sessions, attempts, say }) {
  const { child, cookie, guest } = await startPanel(place)
  await stopPanel(child)
  const started = performance.now()
  await fill[name](place, { sessions, attempts })
  const seconds = (performance.now() - started) / 1000
  say(`${name}: filled with ${sessions} sessions in ${seconds.toFixed(0)} s`)
  return { place, sessions, cookie, guest }
}

async function startPanel({ folder, databaseUrl = '', redisUrl = '', mysqlUrl = '' }) {
  const child = start('servers/svc.mjs', 0, folder, '', databaseUrl, redisUrl, mysqlUrl)
  const { port } = await reply(child)
  return { child, port, ...(await visit['svc.mjs'](port)) }
}

async function stopPanel(child) {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}

async function measureSizes(name, sizes, job) {
  for (const size of sizes) Object.assign(size, { starts: [], reads: [], logins: [] })
  for (let round = 1; round <= job.rounds; round += 1) {
    for (const { place, starts } of sizes) {
      const { child, startMs } = await timedStart(place)
      starts.push(startMs)
      await stopPanel(child)
    }
  }
  for (const size of sizes) {
    Object.assign(size, await timedStart(size.place))
    await hammer(job.load, size, WARM_UP_SECONDS)
  }
  for (let round = 1; round <= job.rounds; round += 1) {
    for (const size of sizes) size.reads.push(await measureRead(size, job))
    for (const size of [sizes[0], sizes.at(-1)]) size.logins.push(await measureLogins(size, job))
    const cpu = sizes.map(({ reads }) => reads.at(-1).cpuPerThousand.toFixed(1))
    job.say(`${name}, round ${round}/${job.rounds}: CPU ms for 1,000 reads ${cpu.join(', ')}`)
  }
  for (const { child } of sizes) await stopPanel(child)
  return sizes
}

/** Starts a panel. @returns its process, and the milliseconds until it listened. */
async function timedStart({ folder, databaseUrl = '', redisUrl = '', mysqlUrl = '' }) {
  const started = performance.now()
  const child = start('servers/svc.mjs', 0, folder, '', databaseUrl, redisUrl, mysqlUrl)
  const { port } = await reply(child)
  return { child, port, startMs: performance.now() - started }
}

async function measureRead(size, { load, seconds }) {
  const { cpuPerThousand } = await hammer(load, size, seconds)
  const { port, cookie, sessions } = size
  const job = { job: 'steady', port, cookie, sessions, seconds, ...STEADY, guest: null }
  const { p50, p99, failures } = await ask(load, job)
  if (failures > 0) throw new Error(`${failures} reads were not answered with a user`)
  return { cpuPerThousand, p50, p99 }
}

async function measureLogins({ child, port, guest }, { load }) {
  const before = await ask(child, 'usage')
  const { answered, p50, failures } = await ask(load, {
    job: 'logins',
    port,
    guest,
    seconds: LOGIN_SECONDS,
  })
  if (failures > 0) throw new Error(`${failures} logins were not answered as expected`)
  const after = await ask(child, 'usage')
  return { cpuMs: (after.cpuMs - before.cpuMs) / answered, p50 }
}

/** Prints the medians of the rounds as Markdown. */
export function reportGrowth(measured) {
  console.log(
    '\n| store | sessions | CPU ms for 1,000 | ratio | p50 ms | p99 ms | ratio | start ms |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
  for (const [name, sizes] of Object.entries(measured)) {
    for (const { sessions, reads, starts } of sizes) {
      const cells = [
        sessions.toLocaleString('en'),
        medianOf(reads, 'cpuPerThousand').toFixed(1),
        ratioOf(reads, sizes[0].reads, 'cpuPerThousand'),
        medianOf(reads, 'p50').toFixed(2),
        medianOf(reads, 'p99').toFixed(2),
        ratioOf(reads, sizes[0].reads, 'p99'),
        median(starts).toFixed(0),
      ]
      console.log(`| ${[name, ...cells].join(' | ')} |`)
    }
  }
  console.log('\n| store | attempts | CPU ms for a failed login | ratio | p50 ms | ratio |')
  console.log('|---|---:|---:|---:|---:|---:|')
  for (const [name, sizes] of Object.entries(measured)) {
    const [few, many] = [sizes[0].logins, sizes.at(-1).logins]
    const one = [medianOf(few, 'cpuMs').toFixed(2), '1.00', medianOf(few, 'p50').toFixed(1), '1.00']
    const cells = [
      medianOf(many, 'cpuMs').toFixed(2),
      ratioOf(many, few, 'cpuMs'),
      medianOf(many, 'p50').toFixed(1),
      ratioOf(many, few, 'p50'),
    ]
    console.log(`| ${[name, 'none', ...one].join(' | ')} |`)
    console.log(`| ${[name, ATTEMPTS.toLocaleString('en'), ...cells].join(' | ')} |`)
  }
}

function medianOf(results, key) {
  return median(results.map((result) => result[key]))
}

function ratioOf(results, first, key) {
  return median(results.map((result, round) => result[key] / first[round][key])).toFixed(2)
}
