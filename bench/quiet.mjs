import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const SAMPLE_MS = 2000
const LONGEST_WAIT_MS = 5 * 60_000
/** Share of the cores' time that other programs may use. */
const QUIET = 0.05

/**
 * Waits until other programs leave the machine alone.
 *
 * @returns `false` if they did not within five minutes.
 */
export async function becomesQuiet(say) {
  const end = performance.now() + LONGEST_WAIT_MS
  let isTold = false
  while (performance.now() < end) {
    const before = idleOf(cpus())
    await sleep(SAMPLE_MS)
    const after = idleOf(cpus())
    const used = 1 - (after.idle - before.idle) / (after.total - before.total)
    if (used <= QUIET) return true
    if (!isTold) say(`waiting for a quiet machine: other programs use ${Math.round(used * 100)} %`)
    isTold = true
  }
  return false
}

function idleOf(cores) {
  const sum = (times) => Object.values(times).reduce((all, one) => all + one, 0)
  return {
    idle: cores.reduce((all, { times }) => all + times.idle, 0),
    total: cores.reduce((all, { times }) => all + sum(times), 0),
  }
}
