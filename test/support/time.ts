import { syncBuiltinESMExports } from 'node:module'
import type { Stores } from '@svc/auth'
import { expect, onTestFinished, vi } from 'vitest'
import { answerWithin } from '../../build/src/process/timeout.js'

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

/**
 * Returns the result of work that waits for an answer until its deadline, without the wait: once `isWaiting`, the timers
 * of this process are turned. Until then time passes as always, so that the work can compute a hash.
 */
export async function atDeadline<Result>(
  work: () => Promise<Result>,
  isWaiting: () => boolean,
): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const state = { isDone: false }
    const result = work().finally(() => (state.isDone = true))
    await vi.waitFor(() => expect(isWaiting()).toBe(true), { timeout: 10_000 })
    for (let turned = 0; turned < 10_000 && !state.isDone; turned += 50) {
      await vi.advanceTimersByTimeAsync(50)
      await settled()
    }
    return await result
  } finally {
    vi.useRealTimers()
  }
}

const LATE = Symbol('late')

/**
 * Returns what some work answers, and fails the test where that takes longer. The time passes as it does for the
 * deadlines of the service: a busy machine delays both, and does not turn the result.
 */
export async function answersWithin<Result>(
  ms: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const answer = await answerWithin<Result | typeof LATE>(work(), ms, LATE)
  return answer === LATE ? expect.fail(`there was no answer within ${ms} ms`) : answer
}

/** Stops the deadlines of calls until the end of the test: what takes long on a busy machine is awaited. */
export function stopDeadlines(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/**
 * Replaces the `setTimeout` that modules import from `node:timers` or `node:timers/promises`.
 *
 * @returns a function that restores it.
 */
export function replaceTimer<Timer extends (...args: never) => unknown>(
  module: { setTimeout: Timer },
  replacement: (original: Timer) => unknown,
): () => void {
  const original = module.setTimeout
  const set = (timer: unknown): void => {
    Reflect.set(module, 'setTimeout', timer)
    syncBuiltinESMExports()
  }
  set(replacement(original))
  return () => set(original)
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
