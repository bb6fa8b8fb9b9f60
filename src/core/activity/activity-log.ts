import type { ActivityEntry } from '../../contracts/activity-store.ts'
import type { EventClient } from '../../contracts/panel-events.ts'
import type { ActivityStore, Owner } from '../../contracts/store-contracts.ts'
import type { Clock, EpochMs, Logger } from '../../contracts/host.ts'
import { createJobQueue, HIDDEN_JOBS } from '../../process/job-queue.ts'
import { isActivityEvent, type ActivityEvent } from '../../rules/activity.ts'
import { keptEntries } from '../../rules/event-names.ts'
import { DAY_MS } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { Checked } from '../boundary/checked.ts'
import { createFailureLog } from '../login/failure-log.ts'
import { shortenedNetwork } from '../sessions/shortened-network.ts'
import { browserOf } from '../sessions/user-agent.ts'
import { withTimeout } from '../timeouts.ts'

/** The time of an event, and the client of the request that caused it. */
export interface EventSource {
  readonly at: EpochMs
  /** `null`: unknown. */
  readonly client: EventClient | null
}

/** An entry of an event that this release knows. */
export interface KnownEntry extends ActivityEntry {
  readonly event: ActivityEvent
}

/** Keeps the latest security events of each user. */
export type ActivityLog = ReturnType<typeof createActivityLog>

export interface ActivityParts {
  readonly store: Checked<ActivityStore>
  readonly clock: Clock
  readonly logger: Logger
  /** The age of the oldest event that is shown, in days. */
  readonly activityDays: number
}

/** One write at a time keeps the order of the events. More wait, up to a bound. */
const WRITES = { atOnce: 1, most: 1000 } as const

/** Creates the log on a store. */
export function createActivityLog({ store, clock, logger, activityDays }: ActivityParts) {
  const failures = createFailureLog(
    logger,
    'activity.failed',
    'the activity of users is not stored; logins go on without it',
  )
  const onError = (error: unknown): void => failures.failed(error)
  const writes = createJobQueue('an entry of the activity', { ...WRITES, ...HIDDEN_JOBS, onError })
  return {
    /**
     * Stores an event of a user later than the answer to the request, whose time must not tell
     * whether the account exists. An outage of the store is logged and otherwise ignored.
     */
    record(owner: Owner, event: ActivityEvent, source: EventSource): void {
      // The place is read before the wait, which must not keep long headers in memory.
      const entry = { event, at: source.at, ...placeOf(source.client) }
      const isQueued = writes.add(async () => {
        await store.add(owner, entry, keptEntries[event])
        failures.succeeded()
      }, ownerKey(owner))
      if (!isQueued) onError(new Error('too many entries of the activity wait'))
    },
    /**
     * Returns the latest events of a user, newest first, with those that this node has yet to
     * write. Those of others are left waiting: the time must not tell whether there are any.
     */
    async latest(owner: Owner, limit: number): Promise<readonly KnownEntry[]> {
      await withTimeout('the activity store', writes.finish(ownerKey(owner)))
      const entries = await store.latest(owner, limit)
      return entries.filter(isKnownSince(clock.now() - activityDays * DAY_MS))
    },
    /** Resolves once every entry is written, has failed, or is late. Never rejects. */
    async settled(): Promise<void> {
      try {
        await withTimeout('the activity store', writes.settled())
      } catch (error) {
        onError(error)
      }
    },
  }
}

function placeOf(client: EventClient | null) {
  if (client === null) return { network: null, ...browserOf(null) }
  return { network: shortenedNetwork(client.network), ...browserOf(client.userAgent) }
}

/** Returns the filter of the entries to show. A newer release may have written other events. */
function isKnownSince(oldest: number) {
  return (entry: ActivityEntry): entry is KnownEntry =>
    isActivityEvent(entry.event) && entry.at >= oldest
}
