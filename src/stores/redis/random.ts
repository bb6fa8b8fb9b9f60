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

/**
 * Creates a function that returns a random node, but another one than the last time where it can: a
 * node that hangs must not be chosen twice in a row.
 *
 * @param addressOf Returns the name of a node, which stays when the client is replaced.
 * @param isPreferred Tells which nodes to choose from, if there are any besides the last one.
 */
export function sampleInTurn<Node>(
  addressOf: (node: Node) => string,
  isPreferred: (node: Node) => boolean = () => true,
): (nodes: readonly Node[]) => Node {
  let last = ''
  return (nodes) => {
    const others = nodes.filter((node) => addressOf(node) !== last)
    const preferred = others.filter(isPreferred)
    const chosen = sample([preferred, others, nodes].find(({ length }) => length > 0) ?? [])
    last = addressOf(chosen)
    return chosen
  }
}

/** Returns the elements in random order. */
export function shuffled<One>(all: readonly One[]): One[] {
  const order = all.map((one) => ({ one, rank: Math.random() }))
  return order.toSorted((a, b) => a.rank - b.rank).map(({ one }) => one)
}
