import { ask } from './processes.mjs'
import { hammer, startServer, stop } from './reads.mjs'
import { median, printVerdicts } from './report.mjs'

const MOST = 0.05
/** Take well under a second, so that both servers of a pair share the same disturbances. */
const [REQUESTS, READS] = [1000, 3200]
const LONGEST_SECONDS = 60
const WARM_UP_ROUNDS = 6
/** The same program runs faster or slower by some percent in another process. */
const PROCESSES = 9

const FILE = 'svc-telemetry.mjs'
/** The first one shows how much the server differs from itself. Those with `held` have a target. */
const VARIANTS = [
  { name: 'none, again', kind: 'none' },
  { name: 'metrics: `prometheus()`', kind: 'prometheus', held: true },
  { name: 'metrics: `openTelemetry()` with an SDK', kind: 'sdk' },
  { name: '`prometheus()`, and 1 % of the traces', kind: 'traces-1' },
  { name: '`prometheus()`, and all traces', kind: 'traces-100' },
]

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
 * Measures the CPU time of an authenticated read with each telemetry and without, in pairs of short
 * measurements whose order alternates.
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
      for (const kind of ['none', ...VARIANTS.map((variant) => variant.kind)])
        servers.push(await startServer(FILE, folder, kind))
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

/** Returns the CPU times of each variant and of the server without telemetry beside it. */
async function measureRound(load, [without, ...variants], round) {
  const pairs = variants.map(() => ({}))
  for (const [index, variant] of variants.entries()) {
    for (const [way, measure] of Object.entries(WAYS)) {
      // The order of a pair alternates, because the second measurement can be faster.
      const isTurned = round % 2 === 0
      const order = isTurned ? [variant, without] : [without, variant]
      const [first, second] = [await measure(load, order[0]), await measure(load, order[1])]
      pairs[index][way] = isTurned
        ? { without: second, cpu: first }
        : { without: first, cpu: second }
    }
  }
  return pairs
}

/** Prints the medians of the pairs as Markdown. @returns `true` if metrics cost at most 5 %. */
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
    median(results.flatMap((one) => one[way].map(({ without }) => without))).toFixed(1),
  )
  console.log(`\nWithout telemetry: ${bases[0]} µs by HTTP, ${bases[1]} µs in the process.`)
  const held = rows.filter((row) => row.held)
  return printVerdicts(
    held.map(({ name, http }) => ({
      is: `${name} costs ${percent(http.more)} of a request (at most ${percent(MOST)})`,
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
