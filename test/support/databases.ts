import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import { redisStores } from '@svc/auth/redis'
import { onTestFinished } from 'vitest'
import { emptiedMysql } from './mysql.ts'
import { emptyPostgres } from './postgres.ts'
import { freshPrefix, ioRedis, ofTest } from './redis.ts'

/** The name of a SQLite file that is gone after the test. */
export function temporaryDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-http-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'panel.db')
}

/** The project `mysql` of the long lane runs on MySQL what the short lane runs on the other stores. */
export const isOnMysql = process.env['TEST_STORES'] === 'MySQL'

/** Opens the stores of two nodes that share what they keep. */
type OpenTwo = () => Promise<readonly [Stores, Stores]>

async function closedAfterTest(nodes: readonly [Stores, Stores]): ReturnType<OpenTwo> {
  onTestFinished(async () => {
    for (const stores of nodes) await stores.close()
  })
  return nodes
}

const others: Readonly<Record<string, OpenTwo>> = {
  memory: async () => {
    const stores = memoryStores()
    return [stores, stores]
  },
  SQLite: async () => {
    const file = temporaryDatabase()
    return [sqliteStores(file), sqliteStores(file)]
  },
  PostgreSQL: async () => {
    const url = await emptyPostgres()
    return closedAfterTest(await Promise.all([postgresStores(url), postgresStores(url)]))
  },
  Redis: async () => {
    const file = temporaryDatabase()
    const prefix = freshPrefix()
    const node = (): Stores => redisStores(ofTest(ioRedis()), sqliteStores(file), { prefix })
    return [node(), node()]
  },
}

const mysql: Readonly<Record<string, OpenTwo>> = {
  MySQL: async () => {
    const url = await emptiedMysql()
    return closedAfterTest(await Promise.all([mysqlStores(url), mysqlStores(url)]))
  },
}

/** The stores that come with the service, by name. */
export const storesOfTwoNodes = isOnMysql ? mysql : others

/** The names of those whose nodes use the time of a server. */
export const placesWithTime = isOnMysql ? ['MySQL'] : ['PostgreSQL', 'Redis']
