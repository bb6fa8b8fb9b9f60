/** The position of a request in the tree of shares, from the widest group to the narrowest. */
export type Origin = readonly string[]

/** Shares a bounded resource fairly between groups of requests, at every level of their origins. */
export interface FairShares<Holder> {
  add(holder: Holder, origin: Origin): void
  remove(holder: Holder): void
  /**
   * Returns the newest holder of the group that holds the most and whose loss makes the shares
   * fairer; `null` when the given holder has its fair share already.
   */
  victimOf(holder: Holder, mayLose: (other: Holder) => boolean): Holder | null
  /** Returns the holder whose groups were served longest ago, and counts it as served. */
  next(holders: readonly Holder[]): Holder | null
}

interface Group {
  readonly holders: number
  /** The number of the turn in which it was served last; 0: never. */
  readonly servedAt: number
}

/** Creates shares without holders. */
export function createFairShares<Holder>(): FairShares<Holder> {
  return new GroupedShares()
}

class GroupedShares<Holder> implements FairShares<Holder> {
  /** The paths of each holder's groups, in the order of its arrival. */
  readonly #paths = new Map<Holder, readonly string[]>()
  readonly #groups = new Map<string, Group>()
  #served = 0

  add(holder: Holder, origin: Origin): void {
    const paths = origin.map((_, level) => JSON.stringify(origin.slice(0, level + 1)))
    this.#paths.set(holder, paths)
    for (const path of paths) {
      const { holders, servedAt } = this.#groupAt(path)
      this.#groups.set(path, { holders: holders + 1, servedAt })
    }
  }

  remove(holder: Holder): void {
    for (const path of this.#pathsOf(holder)) {
      const { holders, servedAt } = this.#groupAt(path)
      if (holders > 1) this.#groups.set(path, { holders: holders - 1, servedAt })
      else this.#groups.delete(path)
    }
    this.#paths.delete(holder)
  }

  victimOf(holder: Holder, mayLose: (other: Holder) => boolean): Holder | null {
    const own = this.#pathsOf(holder)
    let others: readonly Holder[] = [...this.#paths.keys()].filter(
      (other) => other !== holder && mayLose(other),
    )
    for (const [level, path] of own.entries()) {
      const largest = this.#largest(others, level)
      if (largest !== null && this.#groupAt(largest).holders > this.#groupAt(path).holders)
        return this.#newestOf(others, level)
      others = this.#within(others, level, path)
    }
    return null
  }

  next(holders: readonly Holder[]): Holder | null {
    let found: Holder | null = null
    for (const holder of holders) {
      if (found === null || this.#isBefore(holder, found)) found = holder
    }
    this.#served += 1
    for (const path of found === null ? [] : this.#pathsOf(found)) {
      this.#groups.set(path, { ...this.#groupAt(path), servedAt: this.#served })
    }
    return found
  }

  /** Returns the newest holder of the largest group, and of the largest groups within it. */
  #newestOf(holders: readonly Holder[], from: number): Holder | null {
    let left = holders
    for (let level = from; ; level += 1) {
      const largest = this.#largest(left, level)
      if (largest === null) return left.at(-1) ?? null
      left = this.#within(left, level, largest)
    }
  }

  #largest(holders: readonly Holder[], level: number): string | null {
    let largest: string | null = null
    for (const holder of holders) {
      const path = this.#pathsOf(holder)[level]
      if (path === undefined) continue
      if (largest === null || this.#groupAt(path).holders > this.#groupAt(largest).holders)
        largest = path
    }
    return largest
  }

  #within(holders: readonly Holder[], level: number, path: string): readonly Holder[] {
    return holders.filter((holder) => this.#pathsOf(holder)[level] === path)
  }

  /** Returns whether the groups of one holder were served before those of another. */
  #isBefore(one: Holder, other: Holder): boolean {
    const [paths, others] = [this.#pathsOf(one), this.#pathsOf(other)]
    for (const [level, path] of paths.entries()) {
      const [a, b] = [this.#groupAt(path).servedAt, this.#groupAt(others[level] ?? '').servedAt]
      if (a !== b) return a < b
    }
    return false
  }

  #pathsOf(holder: Holder): readonly string[] {
    return this.#paths.get(holder) ?? []
  }

  #groupAt(path: string): Group {
    return this.#groups.get(path) ?? { holders: 0, servedAt: 0 }
  }
}
