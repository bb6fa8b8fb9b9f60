import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { postgresStores, type PostgresPool } from '@svc/auth/postgres'
import { closedAfterTest } from '../support/after-test.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'
import { barrier } from '../support/time.ts'

/* Reads of sessions on PostgreSQL, where the answer to the first of them is held back. */

it('reads that are asked for while a batch is answered are one statement', async () => {
  const { read, reads, release } = await withHeldRead()
  const answers = [read('one')]
  for (const key of ['two', 'three', 'four']) {
    await turns()
    answers.push(read(key))
  }
  expect(reads()).toBe(1)
  release()
  expect(await Promise.all(answers)).toEqual([null, null, null, null])
  expect(reads()).toBe(2)
})

it('a read waits for 5 ms at most for a batch that is not answered', async () => {
  const { read, reads, release } = await withHeldRead()
  const first = read('one')
  await turns()
  const second = read('two')
  vi.advanceTimersByTime(5)
  expect(await second).toBeNull()
  expect(reads()).toBe(2)
  release()
  expect(await first).toBeNull()
})

async function withHeldRead() {
  const pool = postgresPool(await emptyPostgres())
  const { passed, open: release } = barrier()
  let reads = 0
  const held: PostgresPool = {
    options: pool.options,
    on: (event, listener) => pool.on(event, listener),
    off: (event, listener) => pool.off(event, listener),
    async connect() {
      const client = await pool.connect()
      return {
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
        release: (destroy) => client.release(destroy),
        async query(query) {
          if (!query.text.includes('= ANY')) return client.query(query)
          reads += 1
          if (reads === 1) await passed
          return client.query(query)
        },
      }
    },
  }
  const stores = closedAfterTest(await postgresStores(held))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return { read: async (key: string) => stores.sessions.read(key, 1), reads: () => reads, release }
}

/** Lets what was asked for begin. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}
