import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { contentOf, type EntryContent } from '../../core/bell/notifications.ts'
import type { EpochMs } from '../../contracts/host.ts'
import { NotificationError } from '../../contracts/errors.ts'
import type {
  ImportSource,
  OldNotification,
  UnreadableNotification,
} from '../../contracts/import-source.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type {
  NotificationStore,
  Owner,
  StoredNotification,
} from '../../contracts/store-contracts.ts'
import type { OpenService } from '../command/open-service.ts'
import { writeErrorLine } from '../../contracts/write-line.ts'
import { messageOf } from '../output/output.ts'

/** The result of an import of notifications. */
export type NotificationReport = {
  /** Stored now, or to be stored by `--apply`. */
  readonly stored: number
  /** Stored by an earlier run. */
  readonly known: number
  readonly refused: readonly Readonly<Record<'id' | 'reason', string>>[]
  /** The error after which nothing more was read; not there after a whole run. */
  readonly interruption?: string
}

/** The settings of one run. */
export interface ImportRun {
  /** The name of the other system. */
  readonly from: string
  readonly isApplied: boolean
}

/** The stored entries of one owner: when they were read, by id. */
type KnownEntries = Map<string, EpochMs | null>

/** An entry to store. */
interface TakenEntry extends Pick<StoredNotification, 'id' | 'createdAt' | 'readAt'> {
  readonly owner: Owner
  readonly content: EntryContent
}

const EVERY_ENTRY = 10_000_000
const PROGRESS_EVERY = 1000

/** Stores the notifications of another system, each once. */
export async function importNotifications(
  service: OpenService,
  source: ImportSource,
  run: ImportRun,
): Promise<NotificationReport> {
  const take = createTaking(service, run)
  const report = { stored: 0, known: 0, refused: [] as { id: string; reason: string }[] }
  let seen = 0
  async function importOne(old: OldNotification | UnreadableNotification): Promise<void> {
    // SQLite answers within the turn, and Ctrl-C is noticed at the next one.
    await nextTurn()
    const taken = 'reason' in old ? { reason: old.reason } : await take(old)
    if (typeof taken === 'string') report[taken] += 1
    else report.refused.push({ id: old.id, ...taken })
    seen += 1
    if (seen % PROGRESS_EVERY === 0) writeErrorLine(`${seen} notifications`)
  }
  try {
    for await (const old of source.notifications?.() ?? []) await importOne(old)
  } catch (error) {
    // The rest of the report is not lost.
    return { ...report, interruption: messageOf(error) }
  }
  return report
}

/** Creates the function that stores one notification, unless it is stored already. */
function createTaking(service: OpenService, { from, isApplied }: ImportRun) {
  const store = service.parts.host.stores.notifications
  const known = createKnown(store)
  const hasUser = createUserCheck(service)

  return async (old: OldNotification) => {
    const entry = entryOf(old, from)
    if ('reason' in entry) return entry
    const { owner, id, readAt } = entry
    if (!(await hasUser(owner))) return { reason: `there is no user ${owner.userId}` }
    const entries = await known(owner)
    const isKnown = entries.has(id)
    if (isApplied && !isKnown)
      await store.add(owner, { id, ...entry.content, createdAt: entry.createdAt })
    // Also of an entry that a run has added before it was interrupted.
    if (isApplied && readAt !== null && (entries.get(id) ?? null) === null)
      await store.markRead(owner, id, readAt)
    entries.set(id, readAt)
    return isKnown ? ('known' as const) : ('stored' as const)
  }
}

/** Creates the lookup of an owner's entries, which reads them once. */
function createKnown(store: NotificationStore) {
  const owners = new Map<string, KnownEntries>()
  return async (owner: Owner): Promise<KnownEntries> => {
    const key = ownerKey(owner)
    const kept = owners.get(key)
    if (kept !== undefined) return kept
    const stored = await store.latest(owner, EVERY_ENTRY)
    const entries = new Map(stored.map(({ id, readAt }) => [id, readAt]))
    owners.set(key, entries)
    return entries
  }
}

/** Creates the check whether an owner exists, which asks for each owner once. */
function createUserCheck({ parts: { users } }: OpenService) {
  const answers = new Map<string, boolean>()
  return async (owner: Owner): Promise<boolean> => {
    const key = ownerKey(owner)
    const answer = answers.get(key) ?? (await users.findById(owner.userId, owner.tenant)) !== null
    answers.set(key, answer)
    return answer
  }
}

/** Returns the entry of a notification, or the reason of the refusal. */
function entryOf(old: OldNotification, from: string): TakenEntry | { readonly reason: string } {
  const { id, userId, tenant = null, type, createdAt, readAt } = old
  if (typeof id !== 'string' || id === '') return { reason: 'its id is not a text' }
  if (typeof userId !== 'string' || userId === '') return { reason: 'its userId is not a text' }
  if (!Number.isSafeInteger(createdAt) || (readAt !== null && !Number.isSafeInteger(readAt)))
    return { reason: 'createdAt or readAt is not a number of milliseconds' }
  try {
    const content = contentOf(type, old)
    return { owner: { tenant, userId }, id: newIdOf(from, id), content, createdAt, readAt }
  } catch (error) {
    if (error instanceof NotificationError) return { reason: error.message }
    throw error
  }
}

/**
 * Derives the id of the entry from that of the notification, so that a second run finds it, and two
 * runs at the same time cannot both store it.
 *
 * @see RFC 9562, section 5.8 (UUIDv8)
 */
function newIdOf(from: string, id: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([from, id]))
    .digest('hex')
  const fields = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...fields, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
