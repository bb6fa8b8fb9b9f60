import { Redis } from 'ioredis'
import pg from 'pg'
import { memoryStores } from '@svc/auth/memory'
import { postgresStores } from '@svc/auth/postgres'
import { redisStores } from '@svc/auth/redis'
import { startPostgres } from '../scripts/postgres.mjs'
import { startRedis } from '../scripts/redis.mjs'

const NODES = [1, 4, 16]
const AT_ONCE = 10

/**
 * Measures how many changes a second reach so many nodes, as a share of reads by key in the same
 * round.
 */
export async function measureBus({ seconds, say }) {
  const measured = {}
  for (const [name, open] of Object.entries({ PostgreSQL: onPostgres, Redis: onRedis })) {
    const store = await open()
    const nodes = []
    measured[name] = []
    for (const count of NODES) {
      while (nodes.length < count) nodes.push(await listening(await store.newNode()))
      const [{ bus }] = nodes
      const reads = await perSecond(seconds, store.read)
      const received = nodes.map((node) => node.received())
      const told = await perSecond(seconds, async () => bus.publish('bell:[null,"ada"]', ''))
      await arrived(nodes, received, told * seconds)
      measured[name].push({ count, ratio: told / reads })
      say(
        `${name}, ${count} nodes: ${Math.round(told)} messages and ${Math.round(reads)} reads a second`,
      )
    }
    for (const { close: end } of nodes) await end()
    await store.close()
  }
  return measured
}

async function listening({ bus, close }) {
  let received = 0
  await bus.subscribe('bell:[null,"ada"]', () => (received += 1))
  return { bus, close, received: () => received }
}

/**
 * Waits until every node has received every message: a bus that loses or delays them would look
 * fast.
 */
async function arrived(nodes, before, told) {
  const until = Date.now() + 10_000
  const isComplete = ({ received }, index) => received() - before[index] >= Math.round(told)
  while (!nodes.every(isComplete)) {
    if (Date.now() > until) throw new Error('a node has not received every message')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function perSecond(seconds, step) {
  const end = performance.now() + seconds * 1000
  let done = 0
  const lane = async () => {
    while (performance.now() < end) {
      await step()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return done / seconds
}

async function onPostgres() {
  const server = await startPostgres()
  const pool = new pg.Pool({ connectionString: server.url, max: AT_ONCE })
  // The server closes its connections when it stops.
  pool.on('error', () => {})
  const read = {
    name: 'read',
    text: 'SELECT unread FROM svc_bells WHERE owner = $1',
    values: ['a'],
  }
  return {
    newNode: async () => postgresStores(server.url),
    read: async () => pool.query(read),
    close: async () => {
      await pool.end()
      await server.stop()
    },
  }
}

async function onRedis() {
  const server = await startRedis()
  const reader = new Redis(server.url)
  const clients = [reader]
  return {
    newNode: async () => {
      const client = new Redis(server.url)
      clients.push(client)
      return redisStores(client, memoryStores())
    },
    read: async () => reader.get('a'),
    close: async () => {
      for (const client of clients) client.disconnect()
      await server.stop()
    },
  }
}

/** Prints the results as Markdown. */
export function reportBus(measured) {
  console.log(
    `\n| messages, for each read by key | ${NODES.map((count) => `${count} nodes`).join(' | ')} |`,
  )
  console.log(`|---|${NODES.map(() => '---:|').join('')}`)
  for (const [name, rounds] of Object.entries(measured))
    console.log(`| ${[name, ...rounds.map(({ ratio }) => ratio.toFixed(2))].join(' | ')} |`)
}
