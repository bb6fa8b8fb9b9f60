import type { EpochMs } from '../../contracts/host.ts'
import type { SessionRecord } from '../../contracts/store-contracts.ts'
import { DAY_MS, isAlive } from '../../rules/limits.ts'
import { detailsOf } from './session-details.ts'

/** The lifetimes of sessions. */
export interface SessionLifetimes {
  /** The time without requests, in minutes. */
  readonly idle: number
  /** The whole time, in minutes. */
  readonly absolute: number
  /** Both lifetimes of a remembered session, in days; `null`: none is remembered. */
  readonly rememberedDays: number | null
}

type LifetimeRecord = Pick<SessionRecord, 'createdAt' | 'details'>

/**
 * Returns whether a session has not expired. A host that shortens a lifetime means the sessions
 * that are open, too. The store still has the end that was computed with the longer one.
 */
export function isOpen(lifetimes: SessionLifetimes, record: SessionRecord, now: EpochMs): boolean {
  if (!isAlive(record, now)) return false
  const { lastSeenAt } = record
  // Only a remembered session lives longer, so the details of others are not parsed here.
  return (
    now < usualEnd(lifetimes, record, lastSeenAt) || now < expiryOf(lifetimes, record, lastSeenAt)
  )
}

/** Returns the end of a session that is not remembered. */
function usualEnd(
  { idle, absolute }: SessionLifetimes,
  { createdAt }: LifetimeRecord,
  seenAt: EpochMs,
): EpochMs {
  return Math.min(seenAt + idle * 60_000, createdAt + absolute * 60_000)
}

/** Returns the time at which a session that is seen now expires. */
export function expiryOf(
  lifetimes: SessionLifetimes,
  record: LifetimeRecord,
  now: EpochMs,
): EpochMs {
  const end = rememberedEnd(lifetimes, record)
  if (end === null) return usualEnd(lifetimes, record, now)
  // A kept session is reached only through that of the other user, which has an idle limit.
  return detailsOf(record).kept === true ? Math.min(now + lifetimes.idle * 60_000, end) : end
}

/**
 * Returns the time for which a browser keeps the cookie of a session, in seconds; `null`: until the
 * browser closes.
 */
export function cookieSeconds(
  lifetimes: SessionLifetimes,
  record: LifetimeRecord,
  now: EpochMs,
): number | null {
  const end = rememberedEnd(lifetimes, record)
  return end === null ? null : Math.ceil((end - now) / 1000)
}

/**
 * Returns the end of a remembered session, which no request and no new id moves; `null` for others.
 * A host that no longer remembers sessions means those that are open, too.
 */
export function rememberedEnd(
  { rememberedDays }: SessionLifetimes,
  record: LifetimeRecord,
): EpochMs | null {
  if (rememberedDays === null || detailsOf(record).remembered !== true) return null
  return record.createdAt + rememberedDays * DAY_MS
}
