/** Creates a function that calls `work` at most once in some seconds, and drops other calls. */
export function atMostEvery<Args extends readonly unknown[]>(
  seconds: number,
  work: (...args: Args) => void,
): (...args: Args) => void {
  let calledAt = Number.NEGATIVE_INFINITY
  return (...args) => {
    const now = performance.now()
    if (now - calledAt < seconds * 1000) return
    calledAt = now
    work(...args)
  }
}
