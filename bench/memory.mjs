import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { people } from '../build/panel/seed.js'
import { startMix } from './mix.mjs'
import { ordersTo } from './orders.mjs'
import { reply, start } from './processes.mjs'
import { ORIGIN } from './requests.mjs'
import { cookiesOf, logIn, send } from './visitors.mjs'

const API = '/svc/api'
const SAMPLE_MS = 5000
/** The first part of the samples is not used: caches fill, and functions are compiled. */
const WARM_UP_SHARE = 0.3
const HOUR_MS = 3_600_000
/** More of them than this and a slope is a leak. */
const ERRORS = 2
const KINDS = ['heapUsed', 'external', 'rss']
const [{ email: EMAIL }] = people

/** The load: what happens how often, each without waiting for the others. */
const EVERY_MS = { read: 5, refuse: 50, fail: 1000, visit: 500, ring: 200, stream: 1000 }

/** Measures how the memory of the panel on SQLite changes under a mixed load. */
export async function measureMemory({ folder, minutes, say }) {
  const child = start('servers/svc-memory.mjs', 0, mkdtempSync(join(folder, 'memory-')))
  const { port } = await reply(child)
  const order = ordersTo(child)
  const load = await startLoad(port, order)
  const samples = []
  const started = performance.now()
  const end = started + minutes * 60_000
  while (performance.now() < end) {
    await pause(SAMPLE_MS)
    samples.push({ at: performance.now() - started, ...(await order('memory')) })
    if (samples.length % 12 === 0) say(describe(samples.at(-1)))
  }
  const done = await load.stop()
  child.disconnect()
  return { samples: samples.slice(Math.floor(samples.length * WARM_UP_SHARE)), done }
}

async function startLoad(port, order) {
  const { user: own } = await logIn(port)
  const steps = {
    read: async () => ended(await send(port, 'GET', `${API}/user`, own)),
    refuse: async () =>
      ended(await send(port, 'GET', `${API}/user`, {}, null, { anyStatus: true })),
    fail: async () => failLogin(port),
    visit: async () => {
      const { user: visitor } = await logIn(port)
      await ended(await send(port, 'GET', `${API}/notifications`, visitor))
      await ended(await send(port, 'POST', `${API}/logout`, visitor))
    },
    ring: async () => order('notify', EMAIL),
    stream: async () => readStream(port, own),
  }
  const done = { failed: 0, ...Object.fromEntries(Object.keys(steps).map((name) => [name, 0])) }
  // A machine that is busy with other work answers some of it 503.
  const note = (name, _ms, error) => (done[error === null ? name : 'failed'] += 1)
  const stop = startMix(steps, EVERY_MS, note)
  return {
    async stop() {
      await stop()
      return done
    },
  }
}

let failed = 0

async function failLogin(port) {
  const guest = cookiesOf(await send(port, 'GET', `${API}/csrf-cookie`))
  const login = { email: `nobody-${(failed += 1)}@example.com`, password: 'wrong' }
  await ended(await send(port, 'POST', `${API}/login`, guest, login, { anyStatus: true }))
}

/** Opens a stream of the bell, and leaves after its next event. */
async function readStream(port, { cookie }) {
  const headers = { host: new URL(ORIGIN).host, referer: `${ORIGIN}/admin/main`, cookie }
  const sent = get({ port, path: `${API}/notifications/stream`, headers, agent: false })
  const [response] = await once(sent, 'response')
  response.on('error', () => {})
  await once(response, 'data')
  await once(response, 'data')
  sent.destroy()
}

async function ended(reply) {
  await reply.arrayBuffer()
}

function describe({ at, heapUsed, external, rss }) {
  const [heap, other, all] = [heapUsed, external, rss].map((bytes) => (bytes / 1e6).toFixed(1))
  return `${(at / 60_000).toFixed(0)} min: heap ${heap} MB, external ${other} MB, RSS ${all} MB`
}

/**
 * Prints the slopes as Markdown.
 *
 * @returns `false` if the heap or what it holds outside grows by more than two standard errors.
 */
export function reportMemory({ samples, done }) {
  const counts = Object.entries(done).map(([name, count]) => `${count} ${name}`)
  console.log(`\n${samples.length} samples after the warm-up; done in all: ${counts.join(', ')}\n`)
  console.log('| memory | mean MB | slope MB an hour | standard error |')
  console.log('|---|---:|---:|---:|')
  const slopes = KINDS.map((kind) => slopeOf(samples, kind))
  for (const { kind, mean, slope, error } of slopes)
    console.log(
      `| ${[kind, ...[mean, slope, error].map((value) => value.toFixed(2))].join(' | ')} |`,
    )
  const growing = slopes.filter(
    ({ kind, slope, error }) => kind !== 'rss' && slope > ERRORS * error,
  )
  for (const { kind } of growing) console.log(`\nNOT MET  ${kind} grows`)
  return growing.length === 0
}

/** Fits a line by least squares. @returns its slope in MB an hour, and the standard error of that. */
function slopeOf(samples, kind) {
  const points = samples.map(({ at, [kind]: bytes }) => ({ x: at / HOUR_MS, y: bytes / 1e6 }))
  const sum = (value) => points.reduce((all, point) => all + value(point), 0)
  const [meanX, mean] = [sum(({ x }) => x), sum(({ y }) => y)].map((all) => all / points.length)
  const spreadX = sum(({ x }) => (x - meanX) ** 2)
  const slope = sum(({ x, y }) => (x - meanX) * (y - mean)) / spreadX
  const rest = sum(({ x, y }) => (y - mean - slope * (x - meanX)) ** 2)
  return { kind, mean, slope, error: Math.sqrt(rest / (points.length - 2) / spreadX) }
}
