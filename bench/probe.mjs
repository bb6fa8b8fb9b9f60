import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { openConnection } from './connection.mjs'
import { getUser } from './requests.mjs'

const RATE = 50
const IDLE_MS = 3000

/**
 * Sends `GET /svc/api/user` 50 times a second while other work goes on. Each request has a
 * connection that waits for no other request, and its latency counts from when it was due.
 */
export async function probeDuring(port, cookie, during) {
  const request = getUser(cookie)
  const [idle, latencies] = [[], []]
  let unavailable = 0
  const sendOne = (due) =>
    new Promise((resolve) => {
      const lane = idleLane(idle) ?? newLane(port)
      lane.onReply = (status) => {
        lane.idleSince = performance.now()
        idle.push(lane)
        if (status === 200) latencies.push(performance.now() - due)
        else unavailable += 1
        resolve()
      }
      lane.connection.send(request)
    })
  const started = performance.now()
  const under = []
  const work = { isOver: false }
  const working = during().then(() => (work.isOver = true))
  for (let due = started; !work.isOver; due += 1000 / RATE) {
    await pause(Math.max(0, due - performance.now()))
    // A timer that is late is not the server's fault.
    under.push(sendOne(performance.now()))
  }
  await Promise.all([working, ...under])
  for (const { connection } of idle) connection.close()
  return { seconds: (performance.now() - started) / 1000, unavailable, ...spread(latencies) }
}

/** Node closes connections that have been idle for five seconds. */
function idleLane(idle) {
  const lane = idle.pop()
  if (lane === undefined || performance.now() - lane.idleSince < IDLE_MS) return lane
  lane.connection.close()
  return idleLane(idle)
}

function newLane(port) {
  const lane = { onReply: () => {}, idleSince: 0 }
  return Object.assign(lane, { connection: openConnection(port, (status) => lane.onReply(status)) })
}

/** Returns the percentiles of latencies in milliseconds. */
export function spread(latencies) {
  const sorted = Float64Array.from(latencies).toSorted()
  const percentile = (share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return {
    answered: sorted.length,
    p50: percentile(0.5),
    p99: percentile(0.99),
    longest: sorted.at(-1) ?? Number.NaN,
  }
}
