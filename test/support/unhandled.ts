import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/**
 * Collects the rejections of this test that nobody handles, which would end the process of a host.
 *
 * @returns a function that waits for those that are due.
 */
export function collectUnhandled(): () => Promise<readonly unknown[]> {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return async () => {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate()
    return unhandled
  }
}
