import type { JsonObject } from '../contracts/host.ts'
import { checkOptions, checkTable } from './check-options.ts'
import { sqlRows, type Dialect, type SqlRunner } from './sql.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'
import type { Row } from './user-rows.ts'

/** A value of a statement. */
export type MysqlValue = string | number | bigint | boolean | Date | Uint8Array | null

/** A pool or a connection of `mysql2/promise`; of `mysql2`, give `pool.promise()`. */
export interface MysqlQueries {
  execute(sql: string, values: MysqlValue[]): Promise<readonly [unknown, unknown]>
}

const mysql: Dialect = {
  quote: '`',
  placeholder: () => '?',
  asText: (column) => `cast(${column} as char)`,
  isSame: (column, value) =>
    `convert(${column} using utf8mb4) collate utf8mb4_bin = convert(${value} using utf8mb4)`,
  isAny: null,
}

/**
 * Creates the users of a table in MySQL or MariaDB.
 *
 * @param database A pool of `mysql2/promise`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { createPool } from 'mysql2/promise'
 *
 * const users = mysqlUsers(createPool('mysql://panel@localhost/panel'), {
 *   table: 'users',
 *   columns: { id: 'id', email: 'email', passwordHash: 'password', active: 'is_active' },
 * })
 * ```
 */
export function mysqlUsers<Other extends string = never, Presented extends JsonObject = JsonObject>(
  database: MysqlQueries,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  checkOptions('mysqlUsers', options, ['table'])
  checkTable('mysqlUsers', options.table)
  const { table } = options
  return tableUsers(options, (shape) => sqlRows({ ...shape, table }, mysql, runnerOf(database)))
}

function runnerOf(database: MysqlQueries): SqlRunner {
  // Prepared by the server: values that the driver writes into the text depend on its `sql_mode`.
  const execute = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    // The driver refuses what it cannot bind.
    const [result] = await database.execute(text, [...values] as MysqlValue[])
    return result
  }
  return {
    // The rows have the columns that were selected.
    all: (text) => async (values) => (await execute(text, values)) as readonly Row[],
    run: (text) => async (values) => {
      const { affectedRows } = (await execute(text, values)) as { readonly affectedRows: number }
      return affectedRows
    },
  }
}
