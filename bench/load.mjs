import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from './connection.mjs'
import { failingLogin, getUser } from './requests.mjs'

/* The load, in a process of its own: one job for each message, one reply when it is done. */

const jobs = { hammer, steady }

process.on('message', ({ job, ...options }) => {
  void jobs[job](options).then((result) => process.send(result))
})
process.on('disconnect', () => process.exit())

/** As many requests as the server can answer. */
async function hammer({ port, cookie, connections, seconds }) {
  const tally = newTally()
  const request = getUser(cookie)
  const over = repeat(port, connections, () => request, tally, 200)
  const end = performance.now() + seconds * 1000
  // A load that sleeps is woken by the server's write, which then pays for it; and the slower server pays more.
  while (performance.now() < end) await nextTurn()
  over()
  return resultOf(tally, seconds)
}

/** As many requests as are asked for; besides them, where `guest` is given, a storm of logins. */
async function steady({ port, cookie, connections, seconds, rate, guest }) {
  const logins = newTally()
  const calm = guest === null ? () => {} : storm(port, guest, logins)
  if (guest !== null) await sleep(1000)
  const tally = await keepRate({ port, request: getUser(cookie), connections, seconds, rate })
  calm()
  return { ...resultOf(tally, seconds), logins: resultOf(logins, seconds + 1) }
}

const STORM_CONNECTIONS = 8
let attempts = 0

function storm(port, guest, tally) {
  return repeat(port, STORM_CONNECTIONS, () => failingLogin(guest, (attempts += 1)), tally, 422)
}

/** Sends the next request on each connection as soon as the last was answered. @returns how to stop. */
function repeat(port, count, nextRequest, tally, expected) {
  const connections = Array.from({ length: count }, () => {
    let sentAt = performance.now()
    const connection = openConnection(port, (status) => {
      const now = performance.now()
      record(tally, status === expected, now - sentAt)
      sentAt = now
      connection.send(nextRequest())
    })
    connection.send(nextRequest())
    return connection
  })
  return () => connections.forEach((connection) => connection.close())
}

/** Latency counts from when a request was due, so that a server that stalls cannot hide what it held up. */
async function keepRate({ port, request, connections, seconds, rate }) {
  const tally = newTally()
  const idle = Array.from({ length: connections }, () => idleConnection(port, tally))
  const started = performance.now() + 10
  const total = rate * seconds
  for (let number = 0; number < total;) {
    // Timers come in whole milliseconds, which is more than what is measured; so this turns without a pause.
    await nextTurn()
    const due = started + (number * 1000) / rate
    if (performance.now() < due || idle.length === 0) continue
    const lane = idle.shift()
    lane.send(request, due, () => idle.push(lane))
    number += 1
  }
  while (tally.latencies.length + tally.failures < total) await nextTurn()
  idle.forEach((lane) => lane.close())
  return tally
}

function idleConnection(port, tally) {
  let finish = () => {}
  const connection = openConnection(port, (status) => finish(status))
  return {
    close: connection.close,
    send(request, due, onDone) {
      finish = (status) => {
        record(tally, status === 200, performance.now() - due)
        onDone()
      }
      connection.send(request)
    },
  }
}

function newTally() {
  return { latencies: [], failures: 0 }
}

function record(tally, succeeded, latency) {
  if (succeeded) tally.latencies.push(latency)
  else tally.failures += 1
}

function resultOf({ latencies, failures }, seconds) {
  const sorted = Float64Array.from(latencies).toSorted()
  const percentile = (share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const answered = sorted.length
  return {
    answered,
    failures,
    perSecond: answered / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    longest: sorted.at(-1) ?? Number.NaN,
  }
}
