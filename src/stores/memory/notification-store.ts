import { StoreError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type {
  NewNotification,
  NotificationStore,
  Owner,
  StoredNotification,
} from '../../contracts/store-contracts.ts'
import { REMOVED_PER_NOTIFICATION } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'

interface StoredEntry {
  readonly seq: number
  readonly sent: NewNotification
  readAt: EpochMs | null
}

/** The bell of an owner. */
export interface StoredBell {
  /** In order of sending. */
  entries: StoredEntry[]
  readonly byId: Map<string, StoredEntry>
  unread: number
  nextSeq: number
  readUpTo: number
  readUpToAt: EpochMs | null
}

/**
 * Creates the notification store of the memory stores.
 *
 * @param bells Returns the bells by their owners; throws once the stores are closed.
 */
export function memoryNotifications(bells: () => Map<string, StoredBell>): NotificationStore {
  const bellOf = (owner: Owner) => bells().get(ownerKey(owner)) ?? null
  return {
    add(owner, entry, keep = Number.POSITIVE_INFINITY) {
      const bell = bellOf(owner) ?? emptyBell()
      append(bell, entry)
      bells().set(ownerKey(owner), bell)
      const last = bell.nextSeq - 1 - keep
      remove(bell, ({ seq }) => seq <= last, REMOVED_PER_NOTIFICATION)
      return bell.unread
    },
    latest(owner, limit) {
      const bell = bellOf(owner)
      return bell === null ? [] : newestFirst(bell, limit)
    },
    unreadCount: (owner) => bellOf(owner)?.unread ?? 0,
    markRead(owner, id, now) {
      const bell = bellOf(owner)
      return bell === null ? null : markOne(bell, id, now)
    },
    markAllRead(owner, listed, now) {
      const bell = bellOf(owner)
      if (bell && bell.unread > 0) markAll(bell, listed, now)
    },
    deleteOlder(before, limit) {
      let removed = 0
      for (const bell of bells().values())
        removed += remove(bell, ({ sent }) => sent.createdAt < before, limit - removed)
      return removed
    },
    deleteOf: (owner) => removeBell(bells(), ownerKey(owner)),
  }
}

function emptyBell(): StoredBell {
  return { entries: [], byId: new Map(), unread: 0, nextSeq: 1, readUpTo: 0, readUpToAt: null }
}

/** Removes a bell. @returns the number of entries that it had. */
function removeBell(bells: Map<string, StoredBell>, owner: string): number {
  const removed = bells.get(owner)?.entries.length ?? 0
  bells.delete(owner)
  return removed
}

function append(bell: StoredBell, sent: NewNotification): void {
  if (bell.byId.has(sent.id)) throw new StoreError('there is an entry of this id already')
  const entry = { seq: bell.nextSeq, sent: { ...sent }, readAt: null }
  bell.entries.push(entry)
  bell.byId.set(sent.id, entry)
  bell.nextSeq += 1
  bell.unread += 1
}

function latestOf({ entries }: StoredBell, limit: number): readonly StoredEntry[] {
  return entries.slice(Math.max(0, entries.length - limit))
}

function newestFirst(bell: StoredBell, limit: number): readonly StoredNotification[] {
  return latestOf(bell, limit)
    .toReversed()
    .map((entry) => asStored(bell, entry))
}

function asStored(bell: StoredBell, entry: StoredEntry): StoredNotification {
  return { ...entry.sent, readAt: readAtOf(bell, entry) }
}

function readAtOf(bell: StoredBell, { readAt, seq }: StoredEntry): EpochMs | null {
  return readAt ?? (seq <= bell.readUpTo ? bell.readUpToAt : null)
}

function isUnread(bell: StoredBell, entry: StoredEntry): boolean {
  return readAtOf(bell, entry) === null
}

function markOne(bell: StoredBell, id: string, now: EpochMs): number | null {
  const entry = bell.byId.get(id)
  if (entry === undefined) return null
  if (isUnread(bell, entry)) {
    entry.readAt = now
    bell.unread -= 1
  }
  return bell.unread
}

function markAll(bell: StoredBell, listed: number, now: EpochMs): void {
  // Entries below the read mark keep the mark's time, which is about to change.
  for (const entry of latestOf(bell, listed)) entry.readAt = readAtOf(bell, entry) ?? now
  bell.unread = 0
  bell.readUpTo = bell.nextSeq - 1
  bell.readUpToAt = now
}

/** Removes at most `limit` of the entries that match. @returns their number. */
function remove(bell: StoredBell, matches: (entry: StoredEntry) => boolean, limit: number): number {
  const over = new Set(bell.entries.filter(matches).slice(0, limit))
  for (const entry of over) {
    if (isUnread(bell, entry)) bell.unread -= 1
    bell.byId.delete(entry.sent.id)
  }
  if (over.size > 0) bell.entries = bell.entries.filter((it) => !over.has(it))
  return over.size
}
