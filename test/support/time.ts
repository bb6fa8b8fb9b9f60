import type { Stores } from '@svc/auth'
import { vi } from 'vitest'

/** Stops the timers of this file. Call it at the top of the file, before anything waits. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}

/** Lets `seconds` pass on stopped timers, and waits until what they caused is done. */
export async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  await settled()
}

/** Waits until everything that needs no time has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Makes a promise that waits until it is opened. */
export function barrier(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open }
}

/** Returns the stores without a clock of their own, so that they follow the clock of the service. */
export function withoutTime(stores: Stores): Stores {
  const timeless = { ...stores }
  delete timeless.now
  return timeless
}
