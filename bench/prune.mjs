import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../scripts/postgres.mjs'
import { fillPostgres, fillSqlite, leftInPostgres, leftInSqlite } from './expired.mjs'
import { ask, reply, start } from './processes.mjs'
import { median, printVerdicts } from './report.mjs'
import { visit } from './visitors.mjs'

const STEADY = { rate: 300, connections: 16 }
const QUIET_ROUNDS = 3

/**
 * Measures the latency of requests while a million expired records are removed, on both databases.
 */
export async function measurePruning({ load, folder, rows, seconds, say }) {
  const job = { load, seconds, say }
  const data = mkdtempSync(join(folder, 'prune-'))
  const file = join(data, 'panel.sqlite')
  say(`making ${rows} records that have expired, in SQLite`)
  const inFile = fillSqlite(file, rows)
  const sqlite = await measure({ ...job, name: 'SQLite', made: inFile, values: [data] })
  const left = leftInSqlite(file)
  const server = await startPostgres()
  try {
    say(`making ${rows} records that have expired, in PostgreSQL`)
    const made = await fillPostgres(server.url, rows)
    const values = [mkdtempSync(join(folder, 'prune-')), server.url]
    const postgres = await measure({ ...job, name: 'PostgreSQL', made, values })
    return [
      { ...sqlite, left },
      { ...postgres, left: await leftInPostgres(server.url) },
    ]
  } finally {
    await server.stop()
  }
}

async function measure({ load, seconds, say, name, made, values }) {
  const child = start('servers/svc-pruning.mjs', 0, ...values)
  const { port } = await reply(child)
  const { cookie } = await visit['svc.mjs'](port)
  const round = async () => {
    const read = await ask(load, { job: 'steady', port, cookie, seconds, ...STEADY, guest: null })
    const server = await ask(child, 'tell')
    return { ...read, ...server }
  }
  await round()
  const quiet = []
  while (quiet.length < QUIET_ROUNDS) quiet.push(await round())
  await ask(child, 'prune')
  const pruning = [await round()]
  while (pruning.at(-1).pruned === null) {
    pruning.push(await round())
    say(`${name}: reads meanwhile p99 ${pruning.at(-1).p99.toFixed(1)} ms`)
  }
  child.disconnect()
  const { pruned } = pruning.at(-1)
  // In the last interval, pruning ended before the reads did. Drop it, unless it is the only one.
  const whole = pruning.length > 1 ? pruning.slice(0, -1) : pruning
  return { name, made, pruned, quiet: summary(quiet), pruning: summary(whole) }
}

function summary(rounds) {
  const of = (value) => rounds.map(value)
  return {
    p50: median(of(({ p50 }) => p50)),
    p99: median(of(({ p99 }) => p99)),
    longest: Math.max(...of(({ longest }) => longest)),
    stoodStill: Math.max(...of(({ stoodStillMs }) => stoodStillMs)),
    loopP99: median(of(({ p99Ms }) => p99Ms)),
    failures: of(({ failures }) => failures).reduce((sum, one) => sum + one, 0),
  }
}

/**
 * Prints the results as Markdown.
 *
 * @returns `true` if everything was removed and every read answered.
 */
export function reportPruning(measured) {
  console.log(
    '\n| reads by one who is in | p50 ms | p99 ms | longest ms | loop p99 ms | loop longest ms |',
  )
  console.log('|---|---:|---:|---:|---:|---:|')
  for (const { name, quiet, pruning } of measured) {
    printRow(`${name}, quiet`, quiet)
    printRow(`${name}, while it is pruned`, pruning)
  }
  console.log('')
  return printVerdicts(measured.flatMap(verdictsOn))
}

function printRow(name, { p50, p99, longest, loopP99, stoodStill }) {
  const cells = [p50, p99, longest, loopP99, stoodStill].map((value) => value.toFixed(2))
  console.log(`| ${[name, ...cells].join(' | ')} |`)
}

function verdictsOn({ name, made, left, pruned, quiet, pruning }) {
  const perSecond = Math.round(((made - left) / pruned.ms) * 1000)
  const failures = quiet.failures + pruning.failures
  return [
    {
      is: `${name}: ${left} of ${made} left (0), ${perSecond} removed a second`,
      met: left === 0,
    },
    { is: `${name}: ${failures} reads that were not answered (0)`, met: failures === 0 },
  ]
}
