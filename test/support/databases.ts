import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { postgresStores } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import { redisStores } from '@svc/auth/redis'
import { onTestFinished } from 'vitest'
import { emptyPostgres } from './postgres.ts'
import { freshPrefix, ioRedis, ofTest } from './redis.ts'

/** The name of a SQLite file that is gone after the test. */
export function temporaryDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-http-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'panel.db')
}

/** The stores that come with the service, by name: each makes those of two nodes that share what they keep. */
export const storesOfTwoNodes: Readonly<Record<string, () => Promise<readonly [Stores, Stores]>>> =
  {
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
      const [one, other] = await Promise.all([postgresStores(url), postgresStores(url)])
      onTestFinished(async () => {
        await one.close()
        await other.close()
      })
      return [one, other]
    },
    Redis: async () => {
      const file = temporaryDatabase()
      const prefix = freshPrefix()
      const node = (): Stores => redisStores(ofTest(ioRedis()), sqliteStores(file), { prefix })
      return [node(), node()]
    },
  }
