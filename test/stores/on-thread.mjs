// Stores whose thread writes, by the entry that a host imports.
import { once } from 'node:events'
import { sqliteStores } from '@svc/auth/sqlite'

/**
 * Opens stores and blocks the event loop by writes, as a slow disk does, until the thread of the stores is ready.
 *
 * @param {Parameters<typeof sqliteStores>[0]} database
 */
export async function onThread(database) {
  const stores = sqliteStores(database)
  return { stores, worker: await startThread(stores) }
}

/**
 * Blocks the event loop by writes until a thread has started and taken the first message.
 *
 * @param {import('@svc/auth').Stores} stores
 * @returns {Promise<import('node:worker_threads').Worker>}
 */
export async function startThread(stores) {
  /** @type {{ worker?: import('node:worker_threads').Worker, settled?: Promise<unknown> }} */
  const seen = {}
  process.once('worker', (worker) => {
    seen.worker = worker
    seen.settled = Promise.race([once(worker, 'message'), once(worker, 'exit')])
  })
  const change = async () => stores.metadata?.[0]?.compareAndSet('nothing', 'nothing', 'nothing')
  while (seen.worker === undefined) await Promise.all(Array.from({ length: 4000 }, change))
  // The thread does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  await seen.settled
  clearInterval(alive)
  return seen.worker
}
