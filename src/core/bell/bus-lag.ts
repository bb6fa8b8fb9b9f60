import { setTimeout as pause } from 'node:timers/promises'
import type { Bus } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import { randomId } from '../crypto.ts'
import { answerWithin } from '../../process/timeout.ts'
import { times } from '../../rules/limits.ts'

/** The maximum wait of a reading: metrics are needed most while the bus is late. */
const READING_MS = 500

/**
 * Creates a reading of the seconds that a message takes through the bus. A message that has not
 * arrived yet counts with the time that has passed, so that the lag of a dead bus grows. Returns
 * `null` when the bus fails, which its calls show.
 */
export function createBusLag(bus: Checked<Bus>): () => Promise<number | null> {
  let sending: { readonly since: number; readonly lag: Promise<number | null> } | null = null
  return async () => {
    const since = performance.now()
    sending ??= { since, lag: lagOf(bus).finally(() => (sending = null)) }
    const { since: sentAt, lag } = sending
    const known = await answerWithin<number | 'late' | null>(lag, READING_MS, 'late')
    return known === 'late' ? (performance.now() - sentAt) / 1000 : known
  }
}

/** Sends a message through the bus; after a minute, the bus has dropped it. */
async function lagOf(bus: Checked<Bus>): Promise<number | null> {
  const topic = `lag:${randomId()}`
  let arrive: (at: number) => void = () => undefined
  const arrived = new Promise<number>((resolve) => (arrive = resolve))
  try {
    const unsubscribe = await bus.subscribe(topic, () => arrive(performance.now()))
    try {
      const sentAt = performance.now()
      await bus.publish(topic, '')
      // Must not keep the process running.
      const lost = pause(times.busKeepSeconds * 1000, null, { ref: false })
      const arrivedAt = await Promise.race([arrived, lost])
      return arrivedAt === null ? null : (arrivedAt - sentAt) / 1000
    } finally {
      unsubscribe()
    }
  } catch {
    return null
  }
}
