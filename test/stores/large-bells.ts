import type { Stores } from '@svc/auth'
import { sqliteStores } from '@svc/auth/sqlite'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { mysqlAdmin } from '../support/mysql.ts'
import { admin } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'
import { mysql, openStores, postgres, type SqlServer } from './sql-servers.ts'

export const ada = { tenant: null, userId: 'ada' }

/** The time at which the older half of the entries was read. */
export const READ_AT = 7

const DIGIT = `(${Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')})`
const NUMBERS = `(SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n
  FROM ${DIGIT} AS a, ${DIGIT} AS b, ${DIGIT} AS c, ${DIGIT} AS e, ${DIGIT} AS f) AS numbers`

/** Returns the statements that fill the bell of Ada, as an import of an old system does. */
export function fillingWith(count: number): readonly string[] {
  return [
    `INSERT INTO svc_bells (owner, unread, next_seq, read_up_to, read_up_to_at)
      VALUES ('[null,"ada"]', ${count / 2}, ${count + 1}, ${count / 2}, ${READ_AT})`,
    `INSERT INTO svc_notifications (owner, seq, id, type, title, created_at)
      SELECT '[null,"ada"]', n, CAST(n AS CHAR(9)), 'type', 'title', n
      FROM ${NUMBERS} WHERE n <= ${count}`,
  ]
}

async function onSqlite(count: number): Promise<Stores> {
  const file = temporaryDatabase()
  const stores = closedAfterTest(sqliteStores(file))
  const handle = openHandle(file)
  for (const statement of fillingWith(count)) handle.exec(statement)
  handle.close()
  return stores
}

function onServer(server: SqlServer, run: (url: string, sql: string) => Promise<unknown>) {
  return async (count: number): Promise<Stores> => {
    const url = await server.empty()
    const stores = await openStores(server, url)
    for (const statement of fillingWith(count)) await run(url, statement)
    return stores
  }
}

/** Opens stores with a number of entries in the bell of Ada, by database. */
export const largeBells: readonly (readonly [string, (count: number) => Promise<Stores>])[] = [
  ['SQLite', onSqlite],
  ['PostgreSQL', onServer(postgres, admin)],
  ['MySQL', onServer(mysql, mysqlAdmin)],
]
