// @module-tag slow

import { createPool, type Pool } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import type { StoreSubject } from '@svc/auth/testing'
import { storesOfOneNode } from '../support/databases.ts'
import { emptiedMysql } from '../support/mysql.ts'
import { emptiedPostgres } from '../support/postgres.ts'
import { drivers } from '../support/sqlite.ts'
import { openedOnce, storeSuites } from '../support/store-suites.ts'

const pools = new Set<pg.Pool | Pool>()

// The tests of Redis run the suites through every kind of client.
const { Redis: _, ...ofOneNode } = storesOfOneNode
const subjects: Readonly<Record<string, StoreSubject>> = {
  ...ofOneNode,
  'a pg pool': { open: async () => postgresStores(await ownPool()) },
  'a mysql2 pool': { open: async () => mysqlStores(await ownMysqlPool()) },
}

/** Empties the tables of a server. */
const emptied: Readonly<Record<string, () => Promise<unknown>>> = {
  PostgreSQL: emptiedPostgres,
  'a pg pool': emptiedPostgres,
  MySQL: emptiedMysql,
  'a mysql2 pool': emptiedMysql,
}

describe.each(Object.entries(subjects))('the stores of %s', (of, subject) => {
  const empty = emptied[of]
  if (empty === undefined) publishedCases(() => subject)
  else {
    const { subjectOf, close } = openedOnce(async () => subject.open(), empty)
    afterAll(close)
    publishedCases(subjectOf)
  }
})

describe.each(drivers)('the stores of a handle of %s', (_name, open) => {
  publishedCases(() => ({ open: async () => sqliteStores(open(':memory:')) }))
})

describe('memory', () => {
  it('makes separate stores with every call', async () => {
    const [one, other] = [memoryStores(), memoryStores()]
    await one.attempts.reserve('key', 1000, 0)
    expect(await other.attempts.count('key', 0)).toBe(0)
  })

  it('refuses an entry whose id exists already, and counts it once', async () => {
    const { notifications } = memoryStores()
    const owner = { tenant: null, userId: 'ada' }
    const entry = { id: 'id', type: '', title: 'title', body: null, url: null, createdAt: 0 }
    await notifications.add(owner, entry)
    const again = async () => notifications.add(owner, entry)
    await expect(again).rejects.toMatchObject({ name: 'StoreError' })
    expect(await notifications.unreadCount(owner)).toBe(1)
  })
})

/** A pool of the host's, which the stores leave open. */
async function ownPool(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: await emptiedPostgres(), idleTimeoutMillis: 50 })
  pools.add(pool)
  return pool
}

/** The same of mysql2. */
async function ownMysqlPool(): Promise<Pool> {
  const pool = createPool({ uri: await emptiedMysql(), maxIdle: 1, idleTimeout: 50 })
  pools.add(pool)
  return pool
}

function publishedCases(subjectOf: (suite: string, name: string) => StoreSubject): void {
  for (const [suite, cases] of Object.entries(storeSuites)) {
    for (const { name, run } of cases)
      it(`${suite}: ${name}`, async () => run(subjectOf(suite, name)))
  }
}

afterAll(async () => {
  await Promise.all(Array.from(pools, async (pool) => pool.end()))
})
