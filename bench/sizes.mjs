import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import pg from 'pg'
import { memoryStores } from '@svc/auth/memory'
import { postgresStores } from '@svc/auth/postgres'
import { redisStores } from '@svc/auth/redis'
import { sqliteStores } from '@svc/auth/sqlite'
import { startPostgres } from '../scripts/postgres.mjs'
import { startRedis } from '../scripts/redis.mjs'

/** Number of records of each kind, created through the stores, as the service creates them. */
const RECORDS = 20_000
const AT_ONCE = 100
const HOUR_MS = 3_600_000

/** Records of a service whose users have UUIDs, each with an owner of its own. */
const kinds = {
  session: async ({ sessions }, { owner, key, now }) =>
    sessions.create(key, {
      ...owner,
      stamp: key,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + 2 * HOUR_MS,
      pendingSecret: null,
      details: null,
    }),
  'pending login': async ({ pendingLogins }, { owner, key, now }) =>
    pendingLogins.create(key, { ...owner, stamp: key, createdAt: now, expiresAt: now + HOUR_MS }),
  count: async ({ attempts }, { key, now }) => attempts.reserve(key, HOUR_MS, now),
  'notification, with the bell': async ({ notifications }, { owner, now }) =>
    notifications.add(owner, {
      id: randomUUID(),
      type: 'invoice.paid',
      title: 'Invoice 4711 has been paid',
      body: 'The customer has paid the whole amount; nothing is left to be done.',
      url: '/invoices/4711',
      createdAt: now,
    }),
}

/** Measures the bytes of a record of each kind in each store, with its indexes. */
export async function measureSizes({ folder, say }) {
  say(`making ${RECORDS} records of each kind`)
  return { SQLite: await inSqlite(folder), PostgreSQL: await inPostgres(), Redis: await inRedis() }
}

async function inSqlite(folder) {
  const file = join(folder, 'sizes.sqlite')
  const database = new Database(file)
  const stores = sqliteStores(database)
  const size = () => database.prepare('SELECT sum(pgsize) FROM dbstat').pluck().get()
  const sizes = await sizesOf(stores, kinds, size)
  database.close()
  return sizes
}

async function inPostgres() {
  const server = await startPostgres()
  const client = new pg.Client(server.url)
  await client.connect()
  const stores = await postgresStores(server.url)
  const size = async () => {
    const { rows } = await client.query(
      `SELECT sum(pg_total_relation_size(oid)) AS size FROM pg_class WHERE relkind = 'r' AND relname LIKE 'svc_%'`,
    )
    return Number(rows[0].size)
  }
  const sizes = await sizesOf(stores, kinds, size)
  await stores.close()
  await client.end()
  await server.stop()
  return sizes
}

async function inRedis() {
  const server = await startRedis()
  const client = new Redis(server.url)
  const stores = redisStores(client, memoryStores())
  const size = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1])
  const { 'notification, with the bell': _, ...kept } = kinds
  const sizes = await sizesOf(stores, kept, size)
  await stores.close()
  client.disconnect()
  await server.stop()
  return sizes
}

async function sizesOf(stores, those, size) {
  const sizes = {}
  const now = Date.now()
  for (const [kind, make] of Object.entries(those)) {
    const before = await size()
    for (let made = 0; made < RECORDS; made += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, async () => {
        const userId = randomUUID()
        const key = createHash('sha256').update(userId).digest('base64url')
        await make(stores, { owner: { tenant: null, userId }, key, now })
      })
      await Promise.all(batch)
    }
    sizes[kind] = ((await size()) - before) / RECORDS
  }
  return sizes
}

/** Prints the results as Markdown. */
export function reportSizes(sizes) {
  const names = Object.keys(sizes)
  console.log(`\n| bytes of a | ${names.join(' | ')} |\n|---|${names.map(() => '---:|').join('')}`)
  for (const kind of Object.keys(kinds)) {
    const cells = names.map((name) => sizes[name][kind]?.toFixed(0) ?? '–')
    console.log(`| ${[kind, ...cells].join(' | ')} |`)
  }
}
