/** Returns rows as lines whose cells are aligned. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths?.[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
