import { ConfigError } from '../../contracts/errors.ts'
import type { Row, TableRows } from './table-rows.ts'

/**
 * Refuses the mode NO_BACKSLASH_ESCAPES of MySQL before the first statement. Where a builder lets
 * mysql2 write values into the text of a statement, the driver escapes quotes by backslashes, which
 * mean nothing in this mode: the email of a login would be read as SQL.
 *
 * @param readMode Reads `sql_mode`, as `mode` of the first row.
 */
export function withBackslashEscapes(
  rows: TableRows,
  readMode: () => Promise<readonly Row[]>,
): TableRows {
  let isChecked = false
  async function ensureEscapes(): Promise<void> {
    const [row] = await readMode()
    if (String(row?.['mode']).includes('NO_BACKSLASH_ESCAPES')) throw new ConfigError(UNSAFE)
    isChecked = true
  }
  const guarded =
    <Given extends readonly unknown[], Result>(
      prepare: (...given: Given) => (values: readonly unknown[]) => Result | PromiseLike<Result>,
    ) =>
    (...given: Given) => {
      const run = prepare(...given)
      return async (values: readonly unknown[]): Promise<Result> => {
        if (!isChecked) await ensureEscapes()
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

const UNSAFE =
  'the sql_mode of MySQL has NO_BACKSLASH_ESCAPES, in which mysql2 does not escape quotes for Kysely and Drizzle: an email could be SQL; leave the mode out for these connections, or use mysqlUsers and mysqlFactors'
