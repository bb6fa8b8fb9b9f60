/**
 * Returns the known name that a misspelt one probably stands for; `null`: none is similar. Names
 * that differ only in upper case, underscores and hyphens are equal.
 */
export function nearest(name: string, known: readonly string[]): string | null {
  const given = plain(name)
  const close = known
    .map((one) => ({ one, distance: editDistance(given, plain(one)) }))
    .filter(({ one, distance }) => distance <= Math.max(1, Math.floor(one.length / 5)))
    .toSorted((a, b) => a.distance - b.distance)
  return close[0]?.one ?? null
}

/** Returns what to write in place of an unknown name. */
export function adviceFor(unknown: string, known: readonly string[]): string {
  const meant = nearest(unknown, known)
  return meant === null ? `choose one of ${known.join(', ')}` : `did you mean ${meant}?`
}

/** Returns a name without its style, so that `trustedProxies` equals `trusted_proxies`. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours between two
 * texts (optimal string alignment).
 */
function editDistance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next.push(
        Math.min(
          at(next, column - 1) + 1,
          at(last, column) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = next
  }
  return at(last, to.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
