/** In the order of a round: the limit first. */
export const SERVERS = [
  { name: 'the limit: node:http + one SQLite read', file: 'limit.mjs', values: [] },
  { name: '@svc/auth, reference panel, SQLite', file: 'svc.mjs', values: [''] },
]

const TARGET = { ratio: 0.6, rssMb: 100, stormTimes: 4 }
/** Minimum CPU share of a saturated server that has its core to itself. */
export const TRUSTED = 0.85
const ALLOWED = ['SELECT people', 'SELECT svc_sessions']

/** Prints the results as Markdown, and checks the targets. @returns `true` if all are met. */
export function report({ reads, storm, statements }) {
  const table = reads === null ? null : tableOf(reads)
  const held = storm === null ? null : holdingOf(storm)
  console.log('')
  if (table !== null) printTable(table)
  if (held !== null) printStorm(held)
  return printVerdicts([...targetsOf(table, held), statementsTarget(statements)])
}

/** Computes the medians of the rounds; compares all servers with the first. */
export function tableOf(reads) {
  const [limit] = reads
  return reads.map(({ name, results }) => {
    const of = (value) => median(results.map(value))
    return {
      name,
      // Per CPU time, not per elapsed time, so that other processes on the core do not distort it.
      ratio: of(
        ({ cpuPerThousand }, round) => limit.results[round].cpuPerThousand / cpuPerThousand,
      ),
      perSecond: of(({ perSecond }) => perSecond),
      p99: of(({ p99 }) => p99),
      cpu: of(({ cpuPerThousand }) => cpuPerThousand),
      busy: of(({ busy }) => busy),
      rssMb: Math.max(...results.map(({ rss }) => rss)) / 1e6,
    }
  })
}

export function printTable(rows) {
  console.log('| server | ratio | requests/s | p99 ms | CPU ms for 1,000 | core busy | RSS MB |')
  console.log('|---|---:|---:|---:|---:|---:|---:|')
  for (const { name, ratio, perSecond, p99, cpu, busy, rssMb } of rows) {
    const cells = [
      name,
      ratio.toFixed(2),
      Math.round(perSecond / 100) * 100,
      p99.toFixed(1),
      cpu.toFixed(1),
      `${Math.round(busy * 100)} %`,
      Math.round(rssMb),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  if (rows.some(({ busy }) => busy < TRUSTED))
    console.log('\nThe core was not the servers’ alone: measure again on a quiet machine.')
  console.log('')
}

function holdingOf(rounds) {
  const of = (value) => median(rounds.map(value))
  return {
    quiet: { p50: of(({ quiet }) => quiet.p50), p99: of(({ quiet }) => quiet.p99) },
    storm: { p50: of(({ storm }) => storm.p50), p99: of(({ storm }) => storm.p99) },
    times: of(({ quiet, storm }) => storm.p99 / quiet.p99),
    logins: of(({ storm }) => storm.logins.perSecond),
    failures: rounds.reduce((sum, { quiet, storm }) => sum + failuresIn(quiet, storm), 0),
    rssMb: Math.max(...rounds.map(({ rss }) => rss)) / 1e6,
  }
}

function failuresIn(quiet, storm) {
  return quiet.failures + storm.failures + storm.logins.failures
}

function printStorm({ quiet, storm, logins }) {
  console.log('| 500 GET /svc/api/user a second | p50 ms | p99 ms | logins/s |')
  console.log('|---|---:|---:|---:|')
  console.log(`| quiet | ${quiet.p50.toFixed(2)} | ${quiet.p99.toFixed(2)} | – |`)
  const calm = [storm.p50.toFixed(2), storm.p99.toFixed(2), Math.round(logins)]
  console.log(`| eight connections hammer the login | ${calm.join(' | ')} |\n`)
}

function* targetsOf(table, held) {
  const svc = table?.[1]
  if (svc !== undefined) {
    yield {
      is: `${svc.ratio.toFixed(2)} of the limit (at least ${TARGET.ratio})`,
      met: svc.ratio >= TARGET.ratio,
    }
  }
  if (held !== null) {
    yield {
      is: `p99 in a login storm ${held.times.toFixed(1)} × its quiet value (at most ${TARGET.stormTimes} ×)`,
      met: held.times <= TARGET.stormTimes,
    }
    yield {
      is: `${held.failures} answers that were not the expected ones (0)`,
      met: held.failures === 0,
    }
  }
  const rssMb = Math.max(svc?.rssMb ?? 0, held?.rssMb ?? 0)
  yield { is: `${Math.round(rssMb)} MB (below ${TARGET.rssMb})`, met: rssMb < TARGET.rssMb }
}

function statementsTarget(statements) {
  const is = statements.map(({ name, each }) => `${each} × ${name}`).join(', ')
  const met =
    statements.length === ALLOWED.length &&
    statements.every(({ name, each }) => ALLOWED.includes(name) && each === 1)
  return { is: `${is} for each request (one read of each, no write)`, met }
}

/** Prints whether each target is met. @returns `true` if all are. */
export function printVerdicts(targets) {
  for (const { is, met } of targets) console.log(`${met ? 'met    ' : 'NOT MET'}  ${is}`)
  return targets.every(({ met }) => met)
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
