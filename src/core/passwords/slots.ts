/** A counting semaphore in order of arrival. */
export interface Slots {
  /** Waits for a free slot and holds it until the work has settled. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Creates a semaphore with the given number of slots. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count

  async function acquire(): Promise<void> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async run(work) {
      await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
