import type { JsonObject } from '../contracts/host.ts'
import { checkOptions, checkTable } from './check-options.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { sqlRows, type Dialect, type SqlRunner } from './sql.ts'
import { tableUsers, type TableUsers } from './table-users.ts'
import type { Row } from './user-rows.ts'

/** The result of a statement. */
export interface PostgresResult {
  readonly rows: readonly unknown[]
  /** The number of rows that a statement found or changed. */
  readonly rowCount?: number | null
  /** The same, by PGlite. */
  readonly affectedRows?: number
}

/** A `pg.Pool`, a `pg.Client`, a PGlite, or another driver with this method. */
export interface PostgresQueries {
  query(text: string, values: unknown[]): Promise<PostgresResult>
}

/** A database that lends connections, such as the result of `openPostgres`. */
export interface PostgresLender {
  connect(): Promise<PostgresQueries & { release(): void }>
}

const postgres: Dialect = {
  quote: '"',
  placeholder: (number) => `$${number}`,
  asText: (column) => `${column}::text`,
  isSame: (column, value) => `${column}::text collate "C" = ${value}`,
  isAny: (column, value) => `${column} = any(${value})`,
}

/**
 * Creates the users of a table in PostgreSQL. With `openPostgres`, its statements are prepared and
 * have a deadline.
 *
 * @param database A `pg.Pool`, or the result of `openPostgres`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { openPostgres } from '@svc/auth/postgres'
 *
 * const users = postgresUsers(await openPostgres('postgres://panel@localhost/panel'), {
 *   table: 'users',
 *   columns: { id: 'id', email: 'email', passwordHash: 'password', deletedAt: 'deleted_at' },
 *   where: { role: 'administrator' },
 * })
 * ```
 */
export function postgresUsers<
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
>(
  database: PostgresQueries | PostgresLender,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  checkOptions('postgresUsers', options, ['table'])
  checkTable('postgresUsers', options.table)
  const { table } = options
  return tableUsers(options, (shape) => sqlRows({ ...shape, table }, postgres, runnerOf(database)))
}

function runnerOf(database: PostgresQueries | PostgresLender): SqlRunner {
  async function query(text: string, values: readonly unknown[]): Promise<PostgresResult> {
    if ('query' in database) return database.query(text, [...values])
    const connection = await database.connect()
    try {
      return await connection.query(text, [...values])
    } finally {
      connection.release()
    }
  }
  return {
    // The rows have the columns that were selected.
    all: (text) => async (values) => (await query(text, values)).rows as readonly Row[],
    run: (text) => async (values) => {
      const { rowCount, affectedRows } = await query(text, values)
      return rowCount ?? affectedRows ?? 0
    },
  }
}
