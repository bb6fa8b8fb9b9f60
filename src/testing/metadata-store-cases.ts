import assert from 'node:assert/strict'
import type { MetadataStore, Stores } from '../contracts/store-contracts.ts'
import { closed, asStoreCases } from './store-case.ts'

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
export const metadataStoreCases = asStoreCases({
  'an entry that was never set is null': each(async (metadata) => {
    assert.equal(await metadata.read('entry'), null)
  }),
  'compareAndSet creates an entry from null, once': each(async (metadata) => {
    assert.equal(await metadata.compareAndSet('entry', null, 'one'), true)
    assert.equal(await metadata.compareAndSet('entry', null, 'two'), false)
    assert.equal(await metadata.read('entry'), 'one')
    assert.equal(await metadata.read('other'), null)
  }),
  'compareAndSet replaces only the value that it starts from': each(async (metadata) => {
    assert.equal(await metadata.compareAndSet('entry', 'one', 'two'), false)
    assert.equal(await metadata.read('entry'), null)
    await metadata.compareAndSet('entry', null, 'one')
    assert.equal(await metadata.compareAndSet('entry', 'two', 'three'), false)
    assert.equal(await metadata.compareAndSet('entry', 'one', 'two'), true)
    assert.equal(await metadata.read('entry'), 'two')
  }),
  'of 20 calls of compareAndSet at once one returns true': each(async (metadata) => {
    await metadata.compareAndSet('entry', null, 'start')
    for (const from of [null, 'start']) {
      const name = from === null ? 'fresh' : 'entry'
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, at) => metadata.compareAndSet(name, from, `${at}`)),
      )
      assert.equal(answers.filter(Boolean).length, 1)
      assert.equal(await metadata.read(name), String(answers.indexOf(true)))
    }
  }),
  'once closed every method of the metadata throws a StoreError': closed((stores) => {
    const [metadata] = stores.metadata ?? []
    if (metadata === undefined) return {}
    return {
      read: () => metadata.read('entry'),
      compareAndSet: () => metadata.compareAndSet('entry', null, 'one'),
    }
  }),
})

function each(rule: (metadata: MetadataStore) => Promise<void>) {
  return async ({ metadata = [] }: Stores): Promise<void> => {
    for (const one of metadata) await rule(one)
  }
}
