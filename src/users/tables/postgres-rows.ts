import { sqlRows, type Dialect, type SqlRunner } from './sql-rows.ts'
import type { NamedTable, Row, TableRows } from './table-rows.ts'

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

/** Opens a table in PostgreSQL. */
export function postgresRows(
  database: PostgresQueries | PostgresLender,
  table: NamedTable,
): TableRows {
  return sqlRows(table, postgres, runnerOf(database))
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
