import { describe, onTestFinished } from 'vitest'
import { openPostgres } from '@svc/auth/postgres'
import { postgresUsers, sqliteUsers } from '@svc/auth/users'
import { drivers } from '../support/sqlite.ts'
import { postgresHost, sqliteHost } from './hosts.ts'
import { inSuite } from './suite.ts'
import { createTable, idKinds, optionsFor, stageOn, type IdKind } from './tables.ts'

describe.each(idKinds)('a users table with ids of the kind %s', (kind) => {
  describe.each(drivers)('in SQLite by %s', (_name, open) => {
    inSuite(async () => {
      const host = sqliteHost(open)
      await createTable(host, kind)
      return stageOn(host, kind, sqliteUsers(host.handle, optionsFor(kind)))
    })
  })

  describe('in PostgreSQL by a pool', () => {
    inSuite(async () => {
      const host = await postgresHost()
      await createTable(host, kind)
      return stageOn(host, kind, postgresUsers(host.pool, optionsFor(kind)))
    })
  })

  describe('in PostgreSQL by openPostgres', () => {
    inSuite(async () => openedPostgres(kind))
  })
})

async function openedPostgres(kind: IdKind) {
  const host = await postgresHost()
  await createTable(host, kind)
  const database = await openPostgres(host.url)
  onTestFinished(async () => database.end())
  return stageOn(host, kind, postgresUsers(database, optionsFor(kind)))
}
