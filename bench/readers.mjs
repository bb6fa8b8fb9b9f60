import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { headOf } from './requests.mjs'

/* Readers of streams of the bell, in a process of their own: one job for each message, one reply when it is done. */

const OPENING_AT_ONCE = 32
/** As web/client/bell/bell-feed.ts. */
const FIRST_PAUSE_MS = 3000
const LONGEST_PAUSE_MS = 60_000

let port = 0
let readers = []
/** The time at which each notification was received, and its delay in milliseconds. */
let received = []
const jobs = { open, disconnect, reopen, waitUntilOpen, waitForNotifications, status }

process.on('message', ({ job, ...options }) => {
  void jobs[job](options).then((answer) => process.send(answer ?? 'done'))
})
process.on('disconnect', () => process.exit())

async function open({ port: given, cookies }) {
  port = given
  readers = cookies.map(newReader)
  const left = [...readers]
  const lane = async () => {
    for (let reader = left.pop(); reader !== undefined; reader = left.pop()) await begin(reader)
  }
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, lane))
}

async function disconnect() {
  for (const reader of readers) reader.disconnect()
}

/** Opens all streams again, each after a random pause of at most so long. */
async function reopen({ pauseMs }) {
  const started = performance.now()
  await Promise.all(
    readers.map(async (reader) => {
      if (pauseMs > 0) await pause(Math.random() * pauseMs)
      await begin(reader)
    }),
  )
  console.error(`reopened in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Waits until all streams that have ended by themselves are open again. */
async function waitUntilOpen() {
  while (readers.some(({ isOpen }) => !isOpen)) await pause(20)
  const refused = readers.reduce((sum, reader) => sum + reader.refused, 0)
  console.error(`all are open; ${refused} were refused on the way`)
  for (const reader of readers) reader.refused = 0
}

/** Waits until `count` notifications were received. @returns their delays, and the time of the last one. */
async function waitForNotifications({ count }) {
  while (received.length < count) await pause(5)
  const all = received
  received = []
  return { delays: all.map(({ delay }) => delay), lastAt: Math.max(...all.map(({ at }) => at)) }
}

/** @returns the delays of all notifications, how many streams are open, and how many ended in between. */
async function status() {
  return {
    delays: received.map(({ delay }) => delay),
    openStreams: readers.filter(({ isOpen }) => isOpen).length,
    reopened: readers.reduce((sum, { ended }) => sum + ended, 0),
  }
}

/** Notes the notifications in a part of a stream. Their titles are the times of sending. */
function note(text) {
  for (const [, sentAt] of text.matchAll(/"title":"(\d+)"/g)) {
    const at = Date.now()
    received.push({ at, delay: at - Number(sentAt) })
  }
}

function newReader(cookie) {
  return { cookie, isOpen: false, failures: 0, refused: 0, ended: 0, disconnect: () => {} }
}

/** Opens a stream. Tries again after random pauses, until the first count arrives. */
function begin(reader) {
  return new Promise((resolve) => {
    const tryOnce = () => {
      reader.isOpen = false
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
      let isDisconnected = false
      reader.disconnect = () => {
        isDisconnected = true
        reader.isOpen = false
        socket.destroy()
      }
      let head = ''
      socket.on('data', (text) => {
        if (reader.isOpen) return note(text)
        head += text
        if (/^HTTP\/1.1 (?!200)/.test(head)) {
          reader.refused += 1
          socket.destroy()
        }
        if (!head.includes('event: unread')) return
        reader.isOpen = true
        reader.failures = 0
        resolve()
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        if (isDisconnected) return
        if (reader.isOpen) reader.ended += 1
        reader.isOpen = false
        const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** reader.failures)
        reader.failures += 1
        setTimeout(tryOnce, Math.random() * longest)
      })
      socket.write(requestOf(reader.cookie))
    }
    tryOnce()
  })
}

function requestOf(cookie) {
  const start = 'GET /svc/api/notifications/stream'
  return headOf(start, [`Cookie: ${cookie}`], { accept: 'text/event-stream' })
}
