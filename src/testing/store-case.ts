import assert from 'node:assert/strict'
import type { Stores } from '../contracts/store-contracts.ts'

/** Subject of a store suite. */
export interface StoreSubject {
  /** Opens empty stores; each case opens its own and closes them. */
  open(): Promise<Stores>
}

/**
 * One rule of a contract, for any test runner: `for (const { name, run } of cases) test(name, () =>
 * run(subject))`.
 */
export interface StoreCase {
  readonly name: string
  /** Rejects if the rule is violated. */
  readonly run: (subject: StoreSubject) => Promise<void>
}

/** Common time of all cases. */
export const NOW = 1_800_000_000_000

/** Creates a case from assertions about empty stores. */
export function storeCase(name: string, see: (stores: Stores) => Promise<void>): StoreCase {
  return {
    name,
    async run(subject) {
      const stores = await subject.open()
      try {
        await see(stores)
      } finally {
        await stores.close()
      }
    },
  }
}

/** Creates a case for calls that must reject with a StoreError after the stores are closed. */
export function closedCase(
  name: string,
  calls: (stores: Stores) => Readonly<Record<string, () => unknown>>,
): StoreCase {
  return storeCase(name, async (stores) => {
    await stores.close()
    for (const [method, call] of Object.entries(calls(stores))) {
      // Checks the name, because a suite and a store that were bundled apart have two classes.
      await assert.rejects(async () => call(), { name: 'StoreError' }, method)
    }
  })
}
