// Stores whose thread writes, by the entry that a host imports.
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sqliteStores } from '@svc/auth/sqlite'

/** More than writes may take before a thread takes them. */
const SLOW_MS = 200

/**
 * Opens stores and writes, as if to a slow disk, until the thread of the stores is ready.
 *
 * @param {Parameters<typeof sqliteStores>[0]} database
 */
export async function onThread(database) {
  const stores = sqliteStores(database)
  return { stores, worker: await startThread(stores) }
}

/**
 * Writes, as if to a slow disk, until a thread has started and taken the first message.
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
  const restore = slowDown()
  while (seen.worker === undefined) await change().then(nextTurn)
  restore()
  // The thread does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  await seen.settled
  clearInterval(alive)
  return seen.worker
}

/** Makes every write seem slow. @returns how to end it. */
function slowDown() {
  const now = performance.now.bind(performance)
  let lateMs = 0
  performance.now = () => now() + (lateMs += SLOW_MS)
  return () => void (performance.now = now)
}
