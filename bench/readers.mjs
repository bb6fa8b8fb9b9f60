import { connect } from 'node:net'
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
const jobs = { open, waitForNotifications, status }

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
  return { cookie, isOpen: false, failures: 0, ended: 0 }
}

/** Opens a stream. Tries again after random pauses, until the first count arrives. */
function begin(reader) {
  return new Promise((resolve) => {
    const tryOnce = () => {
      reader.isOpen = false
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
      let head = ''
      socket.on('data', (text) => {
        if (reader.isOpen) return note(text)
        head += text
        if (/^HTTP\/1.1 (?!200)/.test(head)) socket.destroy()
        if (!head.includes('event: unread')) return
        reader.isOpen = true
        reader.failures = 0
        resolve()
      })
      socket.on('error', () => {})
      socket.on('close', () => {
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
