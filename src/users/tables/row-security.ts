import type { TableRows } from './table-rows.ts'

/**
 * Returns the fault that row level security may hide rows from the role of the connections, or
 * `null`. A hidden row looks like one that does not exist.
 *
 * @param consequence Completes the fault by what follows from a hidden row.
 */
export async function hiddenRows(
  { readRowSecurity }: Pick<TableRows, 'readRowSecurity'>,
  consequence: string,
): Promise<string | null> {
  if (readRowSecurity === undefined) return null
  const { table, hiding, role } = (await readRowSecurity()) ?? {}
  if (hiding === 'false') return null
  return `row level security of ${String(table)} applies to the role ${String(role)}: ${consequence}; give a policy that admits the role to every row, or the attribute BYPASSRLS`
}
