export type WakeSignal = ReturnType<typeof createWakeSignal>

/** Creates a signal that wakes one waiting task. */
export function createWakeSignal() {
  let isWoken = false
  let endWait = (): void => undefined
  return {
    /** Ends the wait in progress, or the next one. */
    wake: () => {
      isWoken = true
      endWait()
    },
    /** Waits until it is woken or the time has passed. */
    wait: async (milliseconds: number): Promise<void> => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isWoken = false
    },
  }
}
