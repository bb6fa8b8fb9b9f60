/**
 * Returns a random element.
 *
 * @throws {Error} The list is empty.
 */
export function sample<One>(all: readonly One[]): One {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('no node of the Cluster is known')
  return one
}

/** Returns the elements in random order (Fisher and Yates). */
export function shuffled<One>(all: readonly One[]): One[] {
  const order = all.map((one) => ({ one, rank: Math.random() }))
  return order.toSorted((a, b) => a.rank - b.rank).map(({ one }) => one)
}
