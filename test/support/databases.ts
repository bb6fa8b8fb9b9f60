import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { sqliteStores } from '@svc/auth/sqlite'
import { redisStores } from '@svc/auth/redis'
import { onTestFinished } from 'vitest'
import { freshPrefix, ioRedis, ofTest } from './redis.ts'

/** The name of a SQLite file that is gone when the test is over. */
export function temporaryDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-http-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'panel.db')
}

/** The stores that come with the service, by name: each makes those of two nodes that share what they keep. */
export const storesOfTwoNodes: Readonly<Record<string, () => readonly [Stores, Stores]>> = {
  memory: () => {
    const stores = memoryStores()
    return [stores, stores]
  },
  SQLite: () => {
    const file = temporaryDatabase()
    return [sqliteStores(file), sqliteStores(file)]
  },
  Redis: () => {
    const file = temporaryDatabase()
    const prefix = freshPrefix()
    const node = () => redisStores(ofTest(ioRedis()), sqliteStores(file), { prefix })
    return [node(), node()]
  },
}
