import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureBus, reportBus } from './bus.mjs'
import { capacityPlaces, measureCapacity, reportCapacity } from './capacity.mjs'
import { measureCosts, reportCosts } from './costs.mjs'
import { growingStores, measureGrowth, reportGrowth } from './growth.mjs'
import { measureNodes, reportNodes } from './nodes.mjs'
import { measureMemory, reportMemory } from './memory.mjs'
import { measurePeers, reportPeers } from './peers.mjs'
import { measurePage, reportPage } from './page.mjs'
import { ask, pins, start } from './processes.mjs'
import { becomesQuiet } from './quiet.mjs'
import { measurePruning, reportPruning } from './prune.mjs'
import { measureReads, startServer, steadyReads } from './reads.mjs'
import { measureRefusals, reportRefusals } from './refusals.mjs'
import { report, SERVERS } from './report.mjs'
import { measureSizes, reportSizes } from './sizes.mjs'
import { measureSlowDisk, reportSlowDisk } from './slow-disk.mjs'
import { measureTelemetry, reportTelemetry } from './telemetry.mjs'

const HELP = `Measures an authenticated GET /svc/api/user against the limit and against other libraries.

  npm run bench -- [options]

  --rounds <n>    interleaved rounds; medians of them count (5)
  --seconds <n>   how long each measurement of a round takes (4)
  --only <part>   read: the comparison, storm: a login storm (both);
                  peers: the comparison with other libraries, on SQLite and PostgreSQL;
                  refusals: the CPU time of refused requests;
                  nodes: the panel on PostgreSQL and Redis, against one read of each;
                  bus: messages to all nodes, against one read;
                  costs: how many statements each route asks of the stores;
                  sizes: what a record takes in each of them;
                  page: from a browser's first visit to a login field that takes input;
                  prune: reads while expired records are removed, on SQLite and PostgreSQL;
                  slow-disk: a login storm on a disk that delays each write;
                  telemetry: the CPU time of a read without metrics, with metrics, and with traces;
                  growth: reads, starts and logins with 1,000, 100,000 and more sessions;
                  memory: how the memory changes under a mixed load on SQLite;
                  capacity: a node with 10,000 streams under a mixed load
  --rows <n>      how many records have expired (1000000; prune), or sessions there are (5000000; growth)
  --store <name>  only this one: ${growingStores.join(', ')} (all; growth);
                  ${capacityPlaces.join(', ')} (sqlite; capacity)
  --minutes <n>   how long the load lasts (10; memory, capacity)
  --now           measures at once, also on a busy machine
  --help          shows this

A ratio is of requests per CPU second, to the limit of its own round. The code of the process is 1 when a target is missed.
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: 'both' },
    rows: { type: 'string' },
    store: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    now: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [rounds, seconds, minutes] = [values.rounds, values.seconds, values.minutes].map(Number)
const rows = Number(values.rows ?? (values.only === 'growth' ? 5_000_000 : 1_000_000))
const stores = growingStores.filter((name) => name === (values.store ?? name))
const place = capacityPlaces.find((name) => name === (values.store ?? 'sqlite'))
/** The function that measures each part, and the one that prints it: `false` misses a target. */
const parts = {
  both: [compare, report],
  read: [compare, report],
  storm: [compare, report],
  peers: [measurePeers, (results) => reportPeers(results, describeMachine())],
  refusals: [measureRefusals, reportRefusals],
  nodes: [measureNodes, reportNodes],
  bus: [measureBus, reportBus],
  costs: [measureCosts, reportCosts],
  sizes: [measureSizes, reportSizes],
  page: [measurePage, reportPage],
  prune: [measurePruning, reportPruning],
  'slow-disk': [measureSlowDisk, reportSlowDisk],
  telemetry: [measureTelemetry, reportTelemetry],
  growth: [measureGrowth, reportGrowth],
  memory: [measureMemory, reportMemory],
  capacity: [measureCapacity, reportCapacity],
}
const isValid =
  rounds >= 1 &&
  seconds > 0 &&
  rows >= 1 &&
  minutes > 0 &&
  (values.only === 'capacity' ? place !== undefined : stores.length > 0) &&
  Object.hasOwn(parts, values.only)

if (values.help) console.log(HELP)
else if (isValid) await main()
else {
  console.error(HELP)
  process.exitCode = 2
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const load = start('load.mjs', 1)
  say(`${describeMachine()}; ${rounds} rounds of ${seconds} s`)
  if (!values.now && !(await becomesQuiet(say)))
    say('This machine is busy with something else: distrust the results.')
  if (!pins) say('No taskset or one core only: servers and load share what there is.')
  try {
    const [measure, print] = parts[values.only]
    const job = { load, folder, seconds, rounds, rows, minutes, stores, store: place, say }
    if (print(await measure(job)) === false) process.exitCode = 1
  } finally {
    load.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(job) {
  const { load, folder } = job
  const reads = values.only === 'storm' ? null : await measureReads({ ...job, servers: SERVERS })
  const storm = values.only === 'read' ? null : await measureStorm(load, folder)
  return { reads, storm, statements: await countStatements(load, folder) }
}

/**
 * Measures the effect of a login storm on logged-in users: each round runs without it and with it.
 */
async function measureStorm(load, folder) {
  const { child, port, cookie, guest } = await startServer('svc.mjs', folder, '')
  const steady = steadyReads(load, { port, cookie, guest, seconds })
  await steady(true)
  const results = []
  for (let round = 1; round <= rounds; round += 1) {
    const result = { quiet: await steady(false), storm: await steady(true) }
    results.push({ ...result, rss: (await ask(child, 'usage')).rss })
    const [quiet, storm] = [result.quiet, result.storm].map(({ p99 }) => p99.toFixed(2))
    say(`round ${round}/${rounds}  login storm: p99 ${quiet} ms without, ${storm} ms with it`)
  }
  child.disconnect()
  return results
}

/**
 * Counts the database queries of a request, in a server of its own, because counting takes time.
 */
async function countStatements(load, folder) {
  const { child, port, cookie } = await startServer('svc.mjs', folder, 'count')
  const job = { job: 'steady', port, cookie, seconds: 1, rate: 100, connections: 1, guest: null }
  // The activity of the bench's own login is written after its answer.
  await ask(load, job)
  const before = (await ask(child, 'usage')).count
  const { answered } = await ask(load, job)
  const after = (await ask(child, 'usage')).count
  child.disconnect()
  return Object.entries(after)
    .map(([name, count]) => ({ name, each: (count - (before[name] ?? 0)) / answered }))
    .filter(({ each }) => each > 0)
}

function describeMachine() {
  return `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Node ${process.version}`
}

function say(line) {
  console.log(line)
}
