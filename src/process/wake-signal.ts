/** Wakes one waiting task. */
export interface WakeSignal {
  /** Ends the wait in progress, or the next one. */
  readonly wake: () => void
  /** Waits until it is woken or the time has passed. */
  readonly wait: (milliseconds: number) => Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let isWoken = false
  let endWait = (): void => undefined
  return {
    wake() {
      isWoken = true
      endWait()
    },
    async wait(milliseconds) {
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
