import { ConfigError } from '../../contracts/errors.ts'
import { WITHOUT_COMMIT } from '../../stores/mysql/host-connections.ts'
import type { Row, TableRows } from './table-rows.ts'

/**
 * Refuses connections to MySQL with unsafe settings before the first statement of a builder.
 *
 * Kysely and Drizzle let mysql2 write values into the text of a statement. Two settings defeat its
 * escaping of quotes, so that a value could be read as SQL: the mode NO_BACKSLASH_ESCAPES, and a
 * character set of one byte, such as latin1, in which `ħ` becomes a quote.
 *
 * Without `autocommit`, no change is stored, and a connection reads the rows of its first
 * statement.
 *
 * Remaining risk: only the first connection is checked. A host that changes these settings later,
 * on one connection of its pool, is not noticed.
 *
 * @param read Reads `autocommit`, and `hex(…)` of a value as `echo`.
 */
export function withSafeSettings(
  rows: TableRows,
  read: (value: string) => Promise<readonly Row[]>,
): TableRows {
  let isChecked = false
  async function ensureSafe(): Promise<void> {
    const [{ autocommit, echo } = {} as Row] = await read(ECHOED)
    if (!ON.has(String(autocommit)))
      throw new ConfigError(`the connections to MySQL ${WITHOUT_COMMIT}`)
    if (String(echo) !== Buffer.from(ECHOED).toString('hex').toUpperCase())
      throw new ConfigError(CHANGED)
    isChecked = true
  }
  const guarded =
    <Given extends readonly unknown[], Result>(
      prepare: (...given: Given) => (values: readonly unknown[]) => Result | PromiseLike<Result>,
    ) =>
    (...given: Given) => {
      const run = prepare(...given)
      return async (values: readonly unknown[]): Promise<Result> => {
        if (!isChecked) await ensureSafe()
        return run(values)
      }
    }
  return {
    ...rows,
    find: guarded((...given: Parameters<TableRows['find']>) => rows.find(...given)),
    insert: guarded((...given: Parameters<TableRows['insert']>) => rows.insert(...given)),
    update: guarded((...given: Parameters<TableRows['update']>) => rows.update(...given)),
    remove: guarded((...given: Parameters<TableRows['remove']>) => rows.remove(...given)),
  }
}

/** It is still a valid expression of SQL where the character set changes it. */
const ECHOED = 'ħ or ħ你\n'

/** The forms in which a driver, or a `typeCast` of the host, returns that it is on. */
const ON: ReadonlySet<string> = new Set(['1', 'true', 'ON'])

const CHANGED =
  'a value of Kysely or Drizzle does not reach MySQL as it was sent, so an email could be SQL: leave NO_BACKSLASH_ESCAPES out of the sql_mode of these connections, and `charset` and SET NAMES other than utf8mb4, or use mysqlUsers and mysqlFactors'
