import assert from 'node:assert/strict'
import type { MetadataStore, Stores } from '../contracts/store-contracts.ts'
import { closedCase, storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

/**
 * Cases that every MetadataStore must pass; stores without one pass them trivially.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const subject: StoreSubject = { open: async () => memoryStores() }
 * for (const { name, run } of metadataStoreCases) test(name, () => run(subject))
 * ```
 */
export const metadataStoreCases: readonly StoreCase[] = [
  metadataCase('an entry that was never set is null', async (metadata) => {
    assert.equal(await metadata.read('entry'), null)
  }),
  metadataCase('compareAndSet creates an entry from null, once', async (metadata) => {
    assert.equal(await metadata.compareAndSet('entry', null, 'one'), true)
    assert.equal(await metadata.compareAndSet('entry', null, 'two'), false)
    assert.equal(await metadata.read('entry'), 'one')
    assert.equal(await metadata.read('other'), null)
  }),
  metadataCase('compareAndSet replaces only the value that it starts from', async (metadata) => {
    assert.equal(await metadata.compareAndSet('entry', 'one', 'two'), false)
    assert.equal(await metadata.read('entry'), null)
    await metadata.compareAndSet('entry', null, 'one')
    assert.equal(await metadata.compareAndSet('entry', 'two', 'three'), false)
    assert.equal(await metadata.compareAndSet('entry', 'one', 'two'), true)
    assert.equal(await metadata.read('entry'), 'two')
  }),
  metadataCase('of 20 that compare and set at once one is told true', async (metadata) => {
    await metadata.compareAndSet('entry', null, 'start')
    for (const from of [null, 'start']) {
      const name = from === null ? 'fresh' : 'entry'
      const told = await Promise.all(
        Array.from({ length: 20 }, async (_, at) => metadata.compareAndSet(name, from, `${at}`)),
      )
      assert.equal(told.filter(Boolean).length, 1)
      assert.equal(await metadata.read(name), String(told.indexOf(true)))
    }
  }),
  closedCase('once closed every method of the metadata throws a StoreError', (stores) => {
    const [metadata] = stores.metadata ?? []
    if (metadata === undefined) return {}
    return {
      read: () => metadata.read('entry'),
      compareAndSet: () => metadata.compareAndSet('entry', null, 'one'),
    }
  }),
]

function metadataCase(name: string, see: (metadata: MetadataStore) => Promise<void>): StoreCase {
  return storeCase(name, async ({ metadata = [] }: Stores) => {
    for (const one of metadata) await see(one)
  })
}
