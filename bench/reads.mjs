import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { ask, reply, start } from './processes.mjs'
import { TRUSTED } from './report.mjs'
import { visit } from './visitors.mjs'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 2

/** Measures the throughput of every server, one after the other, round by round. */
export async function measureReads({ load, folder, servers, rounds, seconds, say }) {
  const running = []
  try {
    for (const { name, file, values } of servers) {
      const server = await startServer(file, folder, ...values)
      running.push({ name, server, results: [] })
      await hammer(load, server, WARM_UP_SECONDS)
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const { name, server, results } of running) {
        const result = await undisturbed(() => hammer(load, server, seconds))
        results.push(result)
        say(`round ${round}/${rounds}  ${name}: ${Math.round(result.perSecond)} requests a second`)
      }
    }
  } finally {
    await Promise.all(running.map(({ server }) => stop(server)))
  }
  return running.map(({ name, results }) => ({ name, results }))
}

/** Stops a server. */
export async function stop({ child }) {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}

/** Repeats a measurement, at most twice, during which other work had the server's core. */
async function undisturbed(measure) {
  let result = await measure()
  for (let again = 0; again < 2 && result.busy < TRUSTED; again += 1) {
    const other = await measure()
    if (other.busy > result.busy) result = other
  }
  return result
}

/** Starts a server with a folder of its own, and logs a user in. */
export async function startServer(file, folder, ...values) {
  const child = start(`servers/${file}`, 0, mkdtempSync(join(folder, 'server-')), ...values)
  const { port } = await reply(child)
  return { child, port, ...(await visit[file](port)) }
}

/** Describes unexpected answers, such as "12 × 503". */
function described(unexpected) {
  return Object.entries(unexpected)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}

/**
 * Sends one request as often as the server answers it with the status: 200 by default. Ends with
 * the duration, or earlier when so many `requests` are answered.
 */
export async function hammer(load, { child, status, requests, ...server }, duration) {
  const { port, cookie, sessions, request } = server
  const before = await ask(child, 'usage')
  const sent = { port, cookie, sessions, request, status, requests }
  const job = { job: 'hammer', ...sent, connections: CONNECTIONS, seconds: duration }
  const result = await ask(load, job)
  const after = await ask(child, 'usage')
  if (result.failures > 0) throw new Error(`not ${status ?? 200}: ${described(result.unexpected)}`)
  const cpuMs = after.cpuMs - before.cpuMs
  return {
    ...result,
    cpuPerThousand: (cpuMs / result.answered) * 1000,
    busy: ((cpuMs / 1000) * result.perSecond) / result.answered,
    rss: after.rss,
  }
}

/** Returns a function that reads at a fixed rate, with a storm of logins or without. */
export function steadyReads(load, { guest, ...server }) {
  const job = { job: 'steady', ...server, rate: 500, connections: 16 }
  return async (storm) => ask(load, { ...job, guest: storm ? guest : null })
}
