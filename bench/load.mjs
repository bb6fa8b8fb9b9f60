import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from './connection.mjs'
import { spread } from './probe.mjs'
import { failingLogin, getAnyUser, getUser } from './requests.mjs'

/* The load generator, in a process of its own: one job per message, one reply at its end. */

const jobs = { hammer, steady, logins }

process.on('message', ({ job, ...options }) => {
  void jobs[job](options).then((result) => process.send(result))
})
process.on('disconnect', () => process.exit())

/**
 * Sends as many requests as the server can answer, for some seconds or until so many `requests` are
 * answered; with `sessions`, of so many in turn.
 */
async function hammer({ port, cookie, sessions, request, status = 200, connections, ...extent }) {
  const { seconds, requests = Infinity } = extent
  const tally = newTally()
  const next =
    request === undefined ? reads(cookie, sessions) : same(Buffer.from(request, 'latin1'))
  const over = repeat(port, connections, next, tally, status)
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  // A sleeping load generator is woken by the server's write, at the server's cost; a slower server
  // pays more often.
  while (elapsed() < seconds && tally.latencies.length + tally.failures < requests) await nextTurn()
  over()
  return resultOf(tally, elapsed())
}

function reads(cookie, sessions = null) {
  return sessions === null ? same(getUser(cookie)) : getAnyUser(cookie, sessions)
}

function same(bytes) {
  return () => bytes
}

/** Sends requests at a fixed rate; with `guest`, also a storm of logins. */
async function steady({ port, cookie, sessions, connections, seconds, rate, guest }) {
  const logins = newTally()
  const calm = guest === null ? () => {} : storm(port, guest, logins)
  if (guest !== null) await sleep(1000)
  const next = reads(cookie, sessions)
  const tally = await keepRate({ port, next, connections, seconds, rate })
  calm()
  return { ...resultOf(tally, seconds), logins: resultOf(logins, seconds + 1) }
}

/** Sends logins that fail, each for another email, one after the other. */
async function logins({ port, guest, seconds }) {
  const tally = newTally()
  const over = repeat(port, 1, () => failingLogin(guest, (attempts += 1)), tally, 422)
  await sleep(seconds * 1000)
  over()
  return resultOf(tally, seconds)
}

const STORM_CONNECTIONS = 8
let attempts = 0

function storm(port, guest, tally) {
  return repeat(port, STORM_CONNECTIONS, () => failingLogin(guest, (attempts += 1)), tally, 422)
}

/**
 * Sends the next request on each connection after the previous answer.
 *
 * @returns A function that stops it.
 */
function repeat(port, count, nextRequest, tally, expected) {
  const connections = Array.from({ length: count }, () => {
    let sentAt = performance.now()
    const connection = openConnection(port, (status) => {
      const now = performance.now()
      record(tally, { status, expected, latency: now - sentAt })
      sentAt = now
      connection.send(nextRequest())
    })
    connection.send(nextRequest())
    return connection
  })
  return () => connections.forEach((connection) => connection.close())
}

/**
 * Sends at a fixed rate. Measures latency from the due time, so that a stalled server cannot hide
 * its delays.
 */
async function keepRate({ port, next, connections, seconds, rate }) {
  const tally = newTally()
  const idle = Array.from({ length: connections }, () => idleConnection(port, tally))
  const started = performance.now() + 10
  const total = rate * seconds
  for (let number = 0; number < total;) {
    // Timers have a resolution of a millisecond, longer than the measured times; so this loop never
    // sleeps.
    await nextTurn()
    const due = started + (number * 1000) / rate
    if (performance.now() < due || idle.length === 0) continue
    const lane = idle.shift()
    lane.send(next(), due, () => idle.push(lane))
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
        record(tally, { status, expected: 200, latency: performance.now() - due })
        onDone()
      }
      connection.send(request)
    },
  }
}

function newTally() {
  return { latencies: [], failures: 0, unexpected: {} }
}

function record(tally, { status, expected, latency }) {
  if (status === expected) {
    tally.latencies.push(latency)
    return
  }
  tally.failures += 1
  tally.unexpected[status] = (tally.unexpected[status] ?? 0) + 1
}

function resultOf({ latencies, failures, unexpected }, seconds) {
  return { ...spread(latencies), failures, unexpected, perSecond: latencies.length / seconds }
}
