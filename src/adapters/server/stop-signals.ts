const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Signals within this time are one: npm and some platforms pass on a signal that the process has
 * received itself.
 */
const REPEATED_MS = 1000

/**
 * Calls back at the first SIGTERM or SIGINT. Later ones are ignored, because without a listener
 * they would end the process amid its requests. Only a later Ctrl-C ends it at once, with 1: its
 * user does not want to wait.
 *
 * @param onStop Receives the signal, and a function that removes the listeners.
 * @returns the same function.
 */
export function onStopSignal(
  onStop: (signal: NodeJS.Signals, remove: () => void) => void,
): () => void {
  let stoppedAt: number | null = null
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppedAt === null) {
      stoppedAt = performance.now()
      onStop(signal, remove)
    } else if (signal === 'SIGINT' && performance.now() - stoppedAt > REPEATED_MS) {
      process.exit(1)
    }
  }
  const remove = (): void => SIGNALS.forEach((signal) => process.off(signal, onSignal))
  // First: a listener of the host may close its server at once, or be gone after its call.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal)
  return remove
}
