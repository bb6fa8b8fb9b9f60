import { setTimeout as pause } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrateMysql } from '@svc/auth/mysql'
import { migratePostgres } from '@svc/auth/postgres'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { admin, createPostgres } from '../support/postgres.ts'

/** Takes the columns and tables away that came after the first release. */
const OLDER = `
  ALTER TABLE svc_sessions DROP COLUMN details;
  ALTER TABLE svc_pending_logins DROP COLUMN details;
  DROP TABLE svc_activity;
  DELETE FROM svc_schema WHERE version > `
const READ = 'SELECT count(*) FROM svc_sessions'

interface Server {
  readonly open: () => Promise<string>
  readonly run: (url: string, sql: string) => Promise<unknown>
  readonly migrate: (url: string) => Promise<{ readonly from: number; readonly to: number }>
  readonly older: number
  /** Begins a transaction that has read a table, on a connection of its own. @returns its end. */
  readonly hold: (url: string) => Promise<() => Promise<void>>
}

const postgres: Server = {
  // A migration waits for another one in the same database, also before it waits for the table.
  open: createPostgres,
  run: admin,
  migrate: migratePostgres,
  older: 3,
  async hold(url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('BEGIN')
    await client.query(READ)
    return async () => client.end()
  },
}

const servers: Readonly<Record<string, Server>> = {
  PostgreSQL: postgres,
  'PostgreSQL with a pool of the host that has a `query_timeout`': {
    ...postgres,
    async migrate(connectionString) {
      const pool = new pg.Pool({ connectionString, query_timeout: 1500 })
      try {
        return await migratePostgres(pool)
      } finally {
        await pool.end()
      }
    },
  },
  MariaDB: {
    open: async () => emptyMysql(),
    run: mysqlAdmin,
    migrate: migrateMysql,
    older: 1,
    async hold(url) {
      const connection = await createConnection(url)
      await connection.query('BEGIN')
      await connection.query(READ)
      return async () => connection.end()
    },
  },
}

// They wait most of their time.
it.concurrent.each(Object.entries(servers))(
  'a migration of %s that waits for a transaction of the host holds up no other statement',
  async (_name, { open, run, migrate, older, hold }) => {
    const url = await open()
    await migrate(url)
    await run(url, OLDER + String(older))
    const release = await hold(url)
    const migrating = migrate(url)
    let isDone = false
    void migrating.then(() => (isDone = true))
    // Two tries of a migration.
    const until = Date.now() + 4000
    while (Date.now() < until) {
      const answer = await Promise.race([
        run(url, READ).then(() => 'answered' as const),
        // The deadline of a call of the stores.
        pause(1500, 'late' as const),
      ])
      if (answer === 'late') await release()
      expect(answer).toBe('answered')
      await pause(20)
    }
    expect(isDone).toBe(false)
    await release()
    expect(await migrating).toMatchObject({ from: older })
  },
)
