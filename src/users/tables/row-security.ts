import type { Warn } from '../../contracts/provider-warning.ts'

/** The row level security of a table. */
export interface RowSecurity {
  readonly table: string
  /** `true` if it applies to the role. */
  readonly active: unknown
  readonly role: unknown
}

/** Reads the row level security of a table; `undefined` if its database has none. */
export type ReadRowSecurity = (() => Promise<RowSecurity | undefined>) | undefined

/**
 * Returns the warning that row level security applies to the role of the connections. A hidden row
 * looks like one that does not exist.
 *
 * @param consequence Completes the warning by what follows from a hidden row.
 */
export function hiddenRowsWarning(
  { readRowSecurity }: { readonly readRowSecurity?: ReadRowSecurity },
  consequence: string,
): Warn {
  return async () => {
    const found = await readRowSecurity?.()
    if (found?.active !== true) return null
    return `row level security of ${found.table} applies to the role ${String(found.role)}: ${consequence}; give a policy that admits the role to every row, or the attribute BYPASSRLS`
  }
}
