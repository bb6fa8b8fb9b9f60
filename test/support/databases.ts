import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import { redisStores } from '@svc/auth/redis'
import type { StoreSubject } from '@svc/auth/testing'
import { onTestFinished } from 'vitest'
import { emptiedMysql } from './mysql.ts'
import { emptiedPostgres } from './postgres.ts'
import { freshPrefix, ioRedis, ofTest } from './redis.ts'

/** The name of a SQLite file that is gone after the test. */
export function temporaryDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-http-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'panel.db')
}

interface Subject {
  /** Prepares an empty database. @returns a function that opens the stores of one node on it. */
  readonly prepare: () => Promise<() => Stores | Promise<Stores>>
  /** The nodes use the time of the server. */
  readonly hasTime: boolean
  /** The lane that runs the tests of two nodes on it. */
  readonly lane: 'short' | 'long'
}

/** The stores that come with the package. A new one is a row here; its folder holds the rest. */
const subjects: Readonly<Record<string, Subject>> = {
  memory: {
    async prepare() {
      const stores = memoryStores()
      return () => stores
    },
    hasTime: false,
    lane: 'short',
  },
  SQLite: {
    async prepare() {
      const file = temporaryDatabase()
      return () => sqliteStores(file)
    },
    hasTime: false,
    lane: 'short',
  },
  PostgreSQL: {
    async prepare() {
      const url = await emptiedPostgres()
      return async () => postgresStores(url)
    },
    hasTime: true,
    lane: 'short',
  },
  Redis: {
    async prepare() {
      const file = temporaryDatabase()
      const prefix = freshPrefix()
      return () => redisStores(ofTest(ioRedis()), sqliteStores(file), { prefix })
    },
    hasTime: true,
    lane: 'short',
  },
  MySQL: {
    async prepare() {
      const url = await emptiedMysql()
      return async () => mysqlStores(url)
    },
    hasTime: true,
    lane: 'long',
  },
}

/** The project `mysql` of the long lane runs on MySQL what the short lane runs on the other stores. */
export const isOnMysql = process.env['TEST_STORES'] === 'MySQL'

/** Opens the stores of two nodes that share what they keep. */
type OpenTwo = () => Promise<readonly [Stores, Stores]>

const ofLane = Object.entries(subjects).filter(
  ([, { lane }]) => lane === (isOnMysql ? 'long' : 'short'),
)

/** The stores that come with the package, by name. */
export const storesOfTwoNodes = twoOfEach(ofLane)

/**
 * One kind in this process and one on a server, for what the service decides alone. The published suites say that every
 * kind does the same for the same call.
 */
export const someStoresOfTwoNodes = twoOfEach(
  ofLane.filter(([name]) => name !== 'SQLite' && name !== 'Redis'),
)

/** Those whose nodes use the time of a server. */
export const storesWithTime = twoOfEach(ofLane.filter(([, { hasTime }]) => hasTime))

/** The stores of one node, each on a database of its own; the caller closes them. */
export const storesOfOneNode: Readonly<Record<string, StoreSubject>> = Object.fromEntries(
  Object.entries(subjects).map(([name, { prepare }]) => [
    name,
    { open: async () => (await prepare())() },
  ]),
)

function twoOfEach(
  some: readonly (readonly [string, Subject])[],
): Readonly<Record<string, OpenTwo>> {
  return Object.fromEntries(
    some.map(([name, { prepare }]) => [
      name,
      async () => {
        const open = await prepare()
        const nodes = [await open(), await open()] as const
        onTestFinished(async () => {
          for (const stores of nodes) await stores.close()
        })
        return nodes
      },
    ]),
  )
}
