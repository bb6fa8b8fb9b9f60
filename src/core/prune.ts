import { setImmediate } from 'node:timers/promises'
import type { Clock, Stores } from '../contracts.ts'
import type { Events } from './events.ts'
import { within } from './deadline.ts'

/** How many records one step removes: few enough that no request waits for it. */
const STEP = 500

/** Removes what is over, step by step, letting requests through in between. @returns how many records. */
export async function prune(
  { sessions, attempts }: Stores,
  clock: Clock,
  events: Events,
): Promise<number> {
  const ended = await inSteps(async () => {
    const owners = await within('the session store', sessions.deleteExpired(clock.now(), STEP))
    for (const owner of owners) events.emit('session.expired', { ...owner, reason: 'lifetime' })
    return owners.length
  })
  const over = await inSteps(async () =>
    within('the attempt store', attempts.deleteExpired(clock.now(), STEP)),
  )
  return ended + over
}

async function inSteps(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const removed = await step()
    total += removed
    if (removed < STEP) return total
    await setImmediate()
  }
}
