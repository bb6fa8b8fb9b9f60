import { expect, it } from 'vitest'
import { migrateMysql } from '@svc/auth/mysql'
import { migratePostgres } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import { temporaryDatabase } from '../support/databases.ts'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'

const CREATE = 'CREATE TABLE svc_sessions (id INTEGER)'
const INSERT = 'INSERT INTO svc_sessions VALUES (1)'

interface Database {
  readonly run: (sql: string) => Promise<unknown>
  readonly migrate: () => Promise<unknown>
}

const databases: Readonly<Record<string, () => Promise<Database>>> = {
  async PostgreSQL() {
    const url = await emptyPostgres()
    return { run: async (sql) => admin(url, sql), migrate: async () => migratePostgres(url) }
  },
  async MariaDB() {
    const url = await emptyMysql()
    return { run: async (sql) => mysqlAdmin(url, sql), migrate: async () => migrateMysql(url) }
  },
  async SQLite() {
    const file = temporaryDatabase()
    async function run(sql: string): Promise<unknown> {
      const handle = openHandle(file)
      try {
        const statement = handle.prepare(sql)
        return sql.startsWith('SELECT') ? statement.all() : statement.run()
      } finally {
        handle.close()
      }
    }
    return { run, migrate: async () => sqliteStores(file) }
  },
}

it.each(Object.entries(databases))(
  'a table of another program in %s is not changed, and the error names the table and says what to do',
  async (_name, open) => {
    const { run, migrate } = await open()
    await run(CREATE)
    await run(INSERT)
    const before = await run('SELECT * FROM svc_sessions')
    for (const time of ['first', 'second'])
      await expect(migrate(), time).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(/svc_sessions.*another program/),
      })
    expect(await run('SELECT * FROM svc_sessions')).toEqual(before)
  },
)
