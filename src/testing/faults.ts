/** A fault that runs instead of the work of a method, or before it. */
export type Fault = (work: () => unknown) => Promise<unknown>

/** Counts the calls of the methods of a fake, and makes them fail until `recover`. */
export function createFaults<Method extends string>(methods: readonly Method[]) {
  const faults = new Map<Method, Fault>()
  const calls = Object.fromEntries(methods.map((method) => [method, 0])) as Record<Method, number>
  return {
    calls,
    answer: <Result>(method: Method, work: () => Result): Promise<Result> => {
      calls[method] += 1
      const fault = faults.get(method) ?? asItShould
      // A fault may return a value of a wrong type on purpose.
      return fault(work) as Promise<Result>
    },
    /** Sets the fault of the named methods, or of all. */
    set: (fault: Fault, ...only: readonly Method[]): void => {
      for (const method of only.length > 0 ? only : methods) faults.set(method, fault)
    },
    recover: () => faults.clear(),
  }
}

async function asItShould(work: () => unknown): Promise<unknown> {
  return work()
}

/** Creates the fault of a method that rejects. */
export function failing(error: Error): Fault {
  return async () => {
    throw error
  }
}

/** Waits for ever, as a method that never answers. */
export async function hanging(): Promise<never> {
  return new Promise(() => {})
}
