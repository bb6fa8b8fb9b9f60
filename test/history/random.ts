/** Numbers that look random, and are the same again for the same seed: Mulberry32, by Tommy Ettinger. */
export interface Random {
  /** From 0 up to and without 1. */
  next(): number
  /** Returns a random item. @throws {Error} The list is empty. */
  pick<Item>(items: readonly Item[]): Item
}

export function randomFrom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    pick(items) {
      const picked = items[Math.floor(next() * items.length)]
      if (picked === undefined) throw new Error('there is nothing to pick')
      return picked
    },
  }
}
