/** Creates a queue in which callers with the same key proceed in order of arrival. */
export function createKeyedQueue() {
  /** The last caller of each key: resolves when it has left. */
  const last = new Map<string, Promise<void>>()

  /**
   * Waits for the earlier callers with this key.
   *
   * @returns a function that admits the next caller. Idempotent.
   */
  async function enter(key: string): Promise<() => void> {
    const before = last.get(key)
    let leave = (): void => undefined
    const left = new Promise<void>((resolve) => (leave = resolve))
    last.set(key, left)
    await before
    return () => {
      leave()
      if (last.get(key) === left) last.delete(key)
    }
  }

  return {
    enter,
    /** Runs a task between those of the earlier and the later callers. */
    async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
      const leave = await enter(key)
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
