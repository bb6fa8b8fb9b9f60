import type { Stores } from '@svc/auth'

/** The fault of one call. */
export type Fault = 'fails' | 'fails after its work' | 'fails, and so do all later ones' | 'hangs'

/** Stores of a node whose calls fail as the test says. Its other calls reach the given stores. */
export interface FaultyStores extends Stores {
  /** Counts the calls from here on, and breaks the one with the number, from 1. */
  breakAt(number: number, fault: Fault): void
  /** Runs a step before the call with the number, from 1, counted as by `breakAt`. */
  interruptAt(number: number, step: () => Promise<unknown>): void
  /** The number of calls since `breakAt`. */
  calls(): number
  /** Breaks and interrupts no call any more. @returns the number of calls since `breakAt`. */
  repair(): number
}

/** Wraps the stores that a login or a change of the second factor writes. */
export function faultyStores(stores: Stores): FaultyStores {
  let calls = 0
  let broken: { readonly at: number; readonly fault: Fault } | null = null
  let interrupted: { readonly at: number; readonly step: () => Promise<unknown> } | null = null

  async function call(proceed: () => unknown): Promise<unknown> {
    calls += 1
    const number = calls
    if (interrupted?.at === number) await interrupted.step()
    if (broken === null || number < broken.at) return proceed()
    if (broken.fault === 'hangs') return new Promise(() => undefined)
    if (broken.fault === 'fails, and so do all later ones') throw new Error('the store is down')
    if (number > broken.at) return proceed()
    if (broken.fault === 'fails after its work') await proceed()
    throw new Error('the store is down')
  }

  const faulty = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return async (...args: readonly unknown[]) => call(() => Reflect.apply(value, target, args))
      },
    })

  return {
    ...stores,
    check: async () => stores.check(),
    close: async () => stores.close(),
    sessions: faulty(stores.sessions),
    pendingLogins: faulty(stores.pendingLogins),
    attempts: faulty(stores.attempts),
    breakAt(at, fault) {
      calls = 0
      broken = { at, fault }
    },
    calls: () => calls,
    interruptAt: (at, step) => void (interrupted = { at, step }),
    repair() {
      broken = null
      interrupted = null
      return calls
    },
  }
}
