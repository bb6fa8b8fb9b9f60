import { ConfigError } from '../../contracts/errors.ts'
import { WITHOUT_COMMIT } from '../../stores/mysql/host-connections.ts'
import type { Row, TableRows } from './table-rows.ts'

/**
 * Refuses connections to MySQL with unsafe settings before the first statement of a builder.
 *
 * Where a builder lets mysql2 write values into the text of a statement, a value could be read as
 * SQL: two settings undo how the driver escapes quotes, the mode NO_BACKSLASH_ESCAPES, and a
 * character set of one byte, such as latin1, for which Node.js cuts characters down to a byte, so
 * that `ħ` becomes a quote.
 *
 * Without `autocommit`, no change is stored, and a connection reads the rows of its first
 * statement.
 *
 * @param read Reads `sql_mode` as `mode`, `autocommit`, and `hex(…)` of a value as `echo`.
 */
export function withSafeSettings(
  rows: TableRows,
  read: (value: string) => Promise<readonly Row[]>,
): TableRows {
  let isChecked = false
  async function ensureSafe(): Promise<void> {
    const [{ mode, autocommit, echo } = {} as Row] = await read(ECHOED)
    if (Number(String(autocommit)) === 0)
      throw new ConfigError(`the connections to MySQL ${WITHOUT_COMMIT}`)
    if (String(mode).includes('NO_BACKSLASH_ESCAPES')) throw new ConfigError(UNESCAPED)
    if (String(echo) !== Buffer.from(ECHOED).toString('hex').toUpperCase())
      throw new ConfigError(NOT_UTF8)
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

/** Wherever its characters become others, it stays an expression, which the server evaluates. */
const ECHOED = 'ħ or ħ你\n'

const REMEDY = 'or use mysqlUsers and mysqlFactors'
const UNESCAPED = `the sql_mode of MySQL has NO_BACKSLASH_ESCAPES, in which mysql2 does not escape quotes for Kysely and Drizzle: an email could be SQL; leave the mode out for these connections, ${REMEDY}`
const NOT_UTF8 = `the character set of the connections to MySQL is not utf8mb4, so values of Kysely and Drizzle arrive changed, and an email could be SQL; leave \`charset\` and SET NAMES out for these connections, ${REMEDY}`
