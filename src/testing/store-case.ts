import assert from 'node:assert/strict'
import type { Stores } from '../contracts.ts'

/** What a store suite is run against. */
export interface StoreSubject {
  /** Opens stores that hold nothing yet; each case opens its own and closes them. */
  open(): Promise<Stores>
}

/** One fact of a contract, for any test runner: `for (const { name, run } of cases) test(name, () => run(subject))`. */
export interface StoreCase {
  readonly name: string
  /** Rejects when the fact does not hold. */
  readonly run: (subject: StoreSubject) => Promise<void>
}

/** An instant that every case agrees on. */
export const NOW = 1_800_000_000_000

/** Makes a case of what is to be seen of fresh stores. */
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

/** Makes a case of calls that must each end in a StoreError once the stores are closed. */
export function closedCase(
  name: string,
  calls: (stores: Stores) => Readonly<Record<string, () => unknown>>,
): StoreCase {
  return storeCase(name, async (stores) => {
    await stores.close()
    for (const [method, call] of Object.entries(calls(stores))) {
      // By name: a suite and a store that were bundled apart have two classes.
      await assert.rejects(async () => call(), { name: 'StoreError' }, method)
    }
  })
}
