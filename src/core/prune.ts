import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Stores } from '../contracts.ts'
import type { Events } from './events.ts'
import { withTimeout } from './timeouts.ts'

/**
 * How many records one step removes. Their keys are random, so that each has pages of its own to be written; on SQLite
 * nobody is answered meanwhile.
 */
const STEP = 50

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Removes what is over, step by step, letting requests through in between.
 *
 * @param keepDays How long notifications are kept; `null`: for ever.
 * @returns how many records.
 */
export async function prune(
  { sessions, pendingLogins, attempts, notifications }: Stores,
  clock: Clock,
  events: Events,
  keepDays: number | null,
): Promise<number> {
  const ended = await inSteps(async () => {
    const owners = await withTimeout('the session store', sessions.deleteExpired(clock.now(), STEP))
    for (const owner of owners) events.emit('session.expired', { ...owner, reason: 'lifetime' })
    return owners.length
  })
  const unfinished = await inSteps(async () =>
    withTimeout('the store of pending logins', pendingLogins.deleteExpired(clock.now(), STEP)),
  )
  const over = await inSteps(async () =>
    withTimeout('the attempt store', attempts.deleteExpired(clock.now(), STEP)),
  )
  if (keepDays === null) return ended + unfinished + over
  const before = clock.now() - keepDays * DAY_MS
  const old = await inSteps(async () =>
    withTimeout('the notification store', notifications.deleteOlder(before, STEP)),
  )
  return ended + unfinished + over + old
}

async function inSteps(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const started = performance.now()
    const removed = await step()
    total += removed
    if (removed < STEP) return total
    // Half of the time belongs to requests, however slow the disk is.
    await pause(performance.now() - started)
  }
}
