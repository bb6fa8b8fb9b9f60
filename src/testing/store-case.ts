import assert from 'node:assert/strict'
import type { Owner, Stores } from '../contracts/store-contracts.ts'
import type { Awaitable, EpochMs } from '../contracts/host.ts'

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

/** Owners whose names collide if they are only concatenated. */
export const OWNERS: readonly Owner[] = [
  { tenant: null, userId: 'ada' },
  { tenant: null, userId: 'Ada' },
  { tenant: '', userId: 'ada' },
  { tenant: 'null', userId: 'ada' },
  { tenant: 'acme', userId: 'ada' },
  { tenant: 'acme:a', userId: 'da' },
  { tenant: 'acme', userId: ':ada' },
  { tenant: 'a","', userId: 'b' },
  { tenant: 'a', userId: '","b' },
  { tenant: null, userId: '["acme","ada"]' },
]

/** Keys that a store could take for `known`, and others that no record has. */
export const wrongKeys: readonly string[] = [
  'unknown',
  '',
  ' ',
  'known ',
  'KNOWN',
  '%',
  '*',
  "' OR '1' = '1",
  'ü',
  'k'.repeat(9999),
]

/** Asserts a rule about empty stores. */
export type Rule = (stores: Stores) => Promise<void>

/** Creates a case of each rule, by its name. */
export function asStoreCases(rules: Readonly<Record<string, Rule>>): readonly StoreCase[] {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    async run(subject) {
      const stores = await subject.open()
      try {
        await rule(stores)
      } finally {
        await stores.close()
      }
    },
  }))
}

/** Creates the rule that calls must reject with a StoreError after the stores are closed. */
export function closed(calls: (stores: Stores) => Readonly<Record<string, () => unknown>>): Rule {
  return async (stores) => {
    await stores.close()
    for (const [method, call] of Object.entries(calls(stores))) {
      // Checks the name, because a suite and a store that were bundled apart have two classes.
      await assert.rejects(async () => call(), { name: 'StoreError' }, method)
    }
  }
}

/** Removes three records at a time. @returns how many each of four calls has removed. */
export async function removedInSteps(
  remove: (limit: number) => Promise<number>,
): Promise<readonly number[]> {
  const steps: number[] = []
  for (let step = 0; step < 4; step += 1) steps.push(await remove(3))
  return steps
}

/** Returns records that resemble that of the owner. */
export function strangersTo<Kept extends Owner>(record: Kept): Readonly<Record<string, Kept>> {
  return {
    'other user': { ...record, userId: 'eve' },
    'other case': { ...record, userId: 'Ada' },
    'other tenant': { ...record, tenant: 'acme' },
    'empty tenant': { ...record, tenant: '' },
    'tenant called null': { ...record, tenant: 'null' },
  }
}

/** Creates records under their keys. */
export async function createAll<Kept>(
  store: { create(key: string, record: Kept): Awaitable<boolean> },
  records: Readonly<Record<string, Kept>>,
): Promise<void> {
  for (const [key, it] of Object.entries(records)) await store.create(key, it)
}

/** Returns a copy of the stored record, because rows of some drivers have no prototype. */
export async function stored<Kept>(
  store: { read(key: string, now: EpochMs): Awaitable<Kept | null> },
  key: string,
): Promise<Kept | null> {
  const found = await store.read(key, NOW)
  return found === null ? null : { ...found }
}
