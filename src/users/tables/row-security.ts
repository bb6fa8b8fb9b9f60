import type { Warn } from '../../contracts/provider-warning.ts'
import type { TableRows } from './table-rows.ts'

/**
 * Returns the warning that row level security applies to the role of the connections. A hidden row
 * looks like one that does not exist.
 *
 * @param consequence Completes the warning by what follows from a hidden row.
 */
export function hiddenRowsWarning(
  { readRowSecurity }: Pick<TableRows, 'readRowSecurity'>,
  consequence: string,
): Warn {
  return async () => {
    const found = await readRowSecurity?.()
    if (found?.active !== true) return null
    return `row level security of ${found.table} applies to the role ${String(found.role)}: ${consequence}; give a policy that admits the role to every row, or the attribute BYPASSRLS`
  }
}
