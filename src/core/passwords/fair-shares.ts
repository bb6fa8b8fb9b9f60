/** The position of a request in the tree of shares, from the widest group to the narrowest. */
export type Origin = readonly string[]

interface Group {
  readonly path: string
  holders: number
  /** The number of the turn in which it was served last; 0: never. */
  servedAt: number
}

/** Shares a bounded resource fairly between groups of requests, at every level of their origins. */
export class FairShares<Holder> {
  /** The groups of each holder, from the widest, in the order of its arrival. */
  readonly #groups = new Map<Holder, readonly Group[]>()
  readonly #byPath = new Map<string, Group>()
  #served = 0

  add(holder: Holder, origin: Origin): void {
    const groups = origin.map((_, level) => this.#groupAt(origin.slice(0, level + 1)))
    for (const group of groups) group.holders += 1
    this.#groups.set(holder, groups)
  }

  remove(holder: Holder): void {
    for (const group of this.#groupsOf(holder)) {
      group.holders -= 1
      if (group.holders === 0) this.#byPath.delete(group.path)
    }
    this.#groups.delete(holder)
  }

  /**
   * Returns the newest holder of the group that holds the most and whose loss makes the shares
   * fairer; `null` when the given holder has its fair share already.
   */
  victimOf(holder: Holder, mayLose: (other: Holder) => boolean): Holder | null {
    let others = [...this.#groups.keys()].filter((other) => other !== holder && mayLose(other))
    for (const [level, own] of this.#groupsOf(holder).entries()) {
      const largest = this.#largest(others, level)
      if (largest !== undefined && largest.holders > own.holders)
        return this.#newestOf(others, level)
      others = this.#within(others, level, own)
    }
    return null
  }

  /** Returns the holder whose groups were served longest ago, and counts it as served. */
  next(holders: readonly Holder[]): Holder | undefined {
    const [found] = holders.toSorted((one, other) => this.#compareTurns(one, other))
    if (found === undefined) return undefined
    this.#served += 1
    for (const group of this.#groupsOf(found)) group.servedAt = this.#served
    return found
  }

  /** Returns the newest holder of the largest group, and of the largest groups within it. */
  #newestOf(holders: readonly Holder[], level: number): Holder | null {
    const largest = this.#largest(holders, level)
    if (largest === undefined) return holders.at(-1) ?? null
    return this.#newestOf(this.#within(holders, level, largest), level + 1)
  }

  #largest(holders: readonly Holder[], level: number): Group | undefined {
    const groups = holders.flatMap((holder) => this.#groupsOf(holder)[level] ?? [])
    return groups.toSorted((one, other) => other.holders - one.holders)[0]
  }

  #within(holders: readonly Holder[], level: number, group: Group): Holder[] {
    return holders.filter((holder) => this.#groupsOf(holder)[level] === group)
  }

  /** Orders two holders by the turns of their groups, the widest groups first. */
  #compareTurns(one: Holder, other: Holder): number {
    const others = this.#groupsOf(other)
    const turns = this.#groupsOf(one).map(
      ({ servedAt }, level) => servedAt - (others[level]?.servedAt ?? 0),
    )
    return turns.find((difference) => difference !== 0) ?? 0
  }

  #groupsOf(holder: Holder): readonly Group[] {
    return this.#groups.get(holder) ?? []
  }

  #groupAt(origin: Origin): Group {
    const path = JSON.stringify(origin)
    const group = this.#byPath.get(path) ?? { path, holders: 0, servedAt: 0 }
    this.#byPath.set(path, group)
    return group
  }
}
