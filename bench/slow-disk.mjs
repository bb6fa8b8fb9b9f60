import { makeSlowDisk } from '../scripts/slow-disk.mjs'
import { startServer, steadyReads } from './reads.mjs'
import { median } from './report.mjs'

/** The milliseconds that each write to the disk takes longer. */
const DELAYS = [0, 100]

/** Measures reads with and without a login storm on a disk that delays each write. */
export async function measureSlowDisk({ load, folder, rounds, seconds, say }) {
  const disk = makeSlowDisk(folder)
  const { child, port, cookie, guest } = await startOn(disk, folder)
  const steady = steadyReads(load, { port, cookie, guest, seconds })
  await steady(true)
  const results = []
  for (const delay of DELAYS) {
    disk.set(delay)
    // The thread that writes starts while the first commits wait.
    await steady(true)
    for (let round = 1; round <= rounds; round += 1) {
      const [quiet, storm] = [await steady(false), await steady(true)]
      results.push({ delay, quiet, storm })
      const [without, during] = [quiet, storm].map(({ p99 }) => p99.toFixed(2))
      say(`${delay} ms, round ${round}/${rounds}: p99 ${without} ms, ${during} ms in a login storm`)
    }
  }
  child.disconnect()
  return results
}

/** Starts the panel as the only process that loads the library. */
async function startOn({ environment }, folder) {
  Object.assign(process.env, environment)
  try {
    return await startServer('svc.mjs', folder, '')
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name]
  }
}

/** Prints the medians of the rounds as Markdown. */
export function reportSlowDisk(results) {
  console.log('\n| each write to the disk | | p50 ms | p99 ms | longest ms | logins/s |')
  console.log('|---|---|---:|---:|---:|---:|')
  for (const delay of DELAYS) {
    const rounds = results.filter((result) => result.delay === delay)
    const rows = {
      'no logins': rounds.map(({ quiet }) => quiet),
      'logins on eight connections': rounds.map(({ storm }) => storm),
    }
    for (const [name, row] of Object.entries(rows)) {
      const times = ['p50', 'p99', 'longest'].map((key) => median(row.map((one) => one[key])))
      const logins = median(row.map((one) => one.logins.perSecond))
      const cells = [...times.map((time) => time.toFixed(2)), Math.round(logins)]
      console.log(`| + ${delay} ms | ${name} | ${cells.join(' | ')} |`)
    }
  }
}
