import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask, pins, reply, start } from './processes.mjs'
import { report, SERVERS } from './report.mjs'
import { visit } from './visitors.mjs'

const HELP = `Measures an authenticated GET /svc/api/user against the limit and against Express.

  npm run bench -- [options]

  --rounds <n>    interleaved rounds; medians of them count (5)
  --seconds <n>   how long each measurement of a round takes (4)
  --only <part>   read: the comparison, storm: a login storm (both)
  --help          shows this

A ratio is of requests per CPU second, to the limit of its own round. The code of the process is 1 when a target is missed.
`

const CONNECTIONS = 32
const STEADY = { rate: 500, connections: 16 }
const WARM_UP_SECONDS = 2

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: 'both' },
    help: { type: 'boolean', default: false },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]

if (values.help) console.log(HELP)
else if (rounds >= 1 && seconds > 0 && ['read', 'storm', 'both'].includes(values.only)) {
  await main()
} else {
  console.error(HELP)
  process.exitCode = 2
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const load = start('load.mjs', 1)
  say(`${cpus()[0]?.model.trim()}, Node ${process.version}; ${rounds} rounds of ${seconds} s`)
  if (loadavg()[0] > 0.5) say('This machine is busy with something else: distrust the latencies.')
  if (!pins) say('No taskset or one core only: servers and load share what there is.')
  try {
    const reads = values.only === 'storm' ? null : await measureReads(load, folder)
    const storm = values.only === 'read' ? null : await measureStorm(load, folder)
    const statements = await countStatements(load, folder)
    if (!report({ reads, storm, statements })) process.exitCode = 1
  } finally {
    load.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every server answers as much as it can, one after the other, round by round. */
async function measureReads(load, folder) {
  const running = []
  for (const { name, file, argument } of SERVERS) {
    const server = await startServer(file, folder, argument)
    await hammer(load, server, WARM_UP_SECONDS)
    running.push({ name, server, results: [] })
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, server, results } of running) {
      const result = await hammer(load, server, seconds)
      results.push(result)
      say(`round ${round}/${rounds}  ${name}: ${Math.round(result.perSecond)} requests a second`)
    }
  }
  for (const { server } of running) server.child.disconnect()
  return running.map(({ name, results }) => ({ name, results }))
}

async function hammer(load, { child, port, cookie }, duration) {
  const before = await ask(child, 'usage')
  const job = { job: 'hammer', port, cookie, connections: CONNECTIONS, seconds: duration }
  const result = await ask(load, job)
  const after = await ask(child, 'usage')
  if (result.failures > 0) throw new Error(`${result.failures} requests were not answered 200`)
  const cpuMs = after.cpuMs - before.cpuMs
  return {
    ...result,
    cpuPerThousand: (cpuMs / result.answered) * 1000,
    busy: cpuMs / 1000 / duration,
    rss: after.rss,
  }
}

/** What those who are in notice of a storm: each round measures without it and with it. */
async function measureStorm(load, folder) {
  const { child, port, cookie, guest } = await startServer('svc.mjs', folder, '')
  const steady = async (storm) => {
    const job = { job: 'steady', port, cookie, seconds, ...STEADY, guest: storm ? guest : null }
    return ask(load, job)
  }
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

/** What a request asks the database, counted by a server of its own as counting costs time. */
async function countStatements(load, folder) {
  const { child, port, cookie } = await startServer('svc.mjs', folder, 'count')
  const before = (await ask(child, 'usage')).count
  const job = { job: 'steady', port, cookie, seconds: 1, rate: 100, connections: 1, guest: null }
  const { answered } = await ask(load, job)
  const after = (await ask(child, 'usage')).count
  child.disconnect()
  return Object.entries(after)
    .map(([name, count]) => ({ name, each: (count - (before[name] ?? 0)) / answered }))
    .filter(({ each }) => each > 0)
}

async function startServer(file, folder, argument) {
  const child = start(`servers/${file}`, 0, mkdtempSync(join(folder, 'server-')), argument)
  const { port } = await reply(child)
  return { child, port, ...(await visit[file](port)) }
}

function say(line) {
  console.log(line)
}
