import { ask } from './processes.mjs'
import { hammer, startServer, stop } from './reads.mjs'
import { median, printVerdicts } from './report.mjs'

const MOST = 0.05
/** Take well under a second, so that the servers of a round share the same disturbances. */
const [REQUESTS, READS] = [1000, 3200]
const LONGEST_SECONDS = 60
/** Until the code is compiled as in a server that has run for a minute. */
const WARM_UP_ROUNDS = 36
/** The same program runs faster or slower by some percent in another process. */
const PROCESSES = 9

const FILE = 'svc-telemetry.mjs'
/**
 * Each is compared with its `base`. The first one shows how much the server differs from itself. A
 * host that traces has a span of its own around each request, and `prometheus()`. Those with `held`
 * have a target.
 */
const VARIANTS = [
  { name: 'none, in another process', kind: 'none', base: 'none' },
  { name: 'metrics: `prometheus()`', kind: 'prometheus', base: 'none', held: true },
  { name: 'metrics: `openTelemetry()` with an SDK', kind: 'sdk', base: 'none' },
  { name: 'a host that traces 1 % of its requests', kind: 'host-1', base: 'prometheus' },
  { name: 'traces there', kind: 'traces-1', base: 'host-1', held: true },
  { name: 'a host that traces all requests', kind: 'host-100', base: 'prometheus' },
  { name: 'traces there', kind: 'traces-100', base: 'host-100' },
]
const KINDS = ['none', ...VARIANTS.map(({ kind }) => kind)]

const WAYS = {
  http: async (load, server) => {
    const { cpuPerThousand } = await hammer(
      load,
      { ...server, requests: REQUESTS },
      LONGEST_SECONDS,
    )
    return cpuPerThousand
  },
  inProcess: async (_load, { child, cookie }) => (await ask(child, { reads: READS, cookie })).cpu,
}

/**
 * Measures the CPU time of an authenticated read with each telemetry and without, in rounds of short
 * measurements whose order changes.
 */
export async function measureTelemetry({ load, folder, rounds, say }) {
  const results = VARIANTS.map(({ name, held = false }) => ({
    name,
    held,
    http: [],
    inProcess: [],
  }))
  const each = Math.ceil(rounds / PROCESSES)
  for (let process = 1; process <= PROCESSES; process += 1) {
    const servers = []
    try {
      for (const kind of KINDS) servers.push(await startServer(FILE, folder, kind))
      for (let round = 1 - WARM_UP_ROUNDS; round <= each; round += 1) {
        const pairs = await measureRound(load, servers, round)
        if (round <= 0) continue
        for (const [index, pair] of pairs.entries())
          for (const way of Object.keys(WAYS)) results[index][way].push(pair[way])
      }
      say(`${process} of ${PROCESSES} sets of servers: ${each} rounds`)
    } finally {
      await Promise.all(servers.map(async (server) => stop(server)))
    }
  }
  return results
}

/**
 * Returns the CPU times of each variant and of the server without telemetry. A round asks each server
 * once, because a server that is asked more often has better compiled code: a server without
 * telemetry that stood in five pairs was 5 % faster than its equal in one pair.
 */
async function measureRound(load, servers, round) {
  const cpu = servers.map(() => ({}))
  for (const [way, measure] of Object.entries(WAYS))
    for (const index of turnOf(servers.length, round))
      cpu[index][way] = await measure(load, servers[index])
  return VARIANTS.map(({ base }, index) =>
    Object.fromEntries(
      Object.keys(WAYS).map((way) => [
        way,
        { without: cpu[KINDS.indexOf(base)][way], cpu: cpu[index + 1][way] },
      ]),
    ),
  )
}

/** Returns the order of a round: each begins with another server, each second one is reversed. */
function turnOf(count, round) {
  const order = Array.from({ length: count }, (_, index) => (index + Math.abs(round)) % count)
  return round % 2 === 0 ? order.toReversed() : order
}

/** Prints the medians of the rounds as Markdown. @returns `true` if metrics cost at most 5 %. */
export function reportTelemetry(results) {
  const rows = results.map(({ name, held, ...measured }) => ({
    name,
    held,
    ...Object.fromEntries(Object.keys(WAYS).map((way) => [way, summaryOf(measured[way])])),
  }))
  console.log('\n| telemetry | HTTP µs | more | in-process µs | more |')
  console.log('|---|---:|---:|---:|---:|')
  const percent = (share) => `${(share * 100).toFixed(1)} %`
  for (const { name, http, inProcess } of rows) {
    const cells = [http, inProcess].flatMap(({ cpu, more }) => [cpu.toFixed(1), percent(more)])
    console.log(`| ${[name, ...cells].join(' | ')} |`)
  }
  const bases = Object.keys(WAYS).map((way) =>
    median(results[0][way].map(({ without }) => without)).toFixed(1),
  )
  console.log(`\nWithout telemetry: ${bases[0]} µs by HTTP, ${bases[1]} µs in the process.`)
  const held = rows.filter((row) => row.held)
  return printVerdicts(
    held.map(({ name, http }) => ({
      is: `${name} cost ${percent(http.more)} of a request (at most ${percent(MOST)})`,
      met: http.more <= MOST,
    })),
  )
}

function summaryOf(pairs) {
  return {
    cpu: median(pairs.map(({ cpu }) => cpu)),
    more: median(pairs.map(({ cpu, without }) => cpu / without)) - 1,
  }
}
