import type { Awaitable, Clock, Tenant } from '../../contracts/host.ts'
import type { Owner, SessionRecord, SessionTouch } from '../../contracts/store-contracts.ts'
import { isAlive, times } from '../../rules/limits.ts'
import { hashOf, randomId } from '../crypto.ts'
import { mapAwaitable } from '../timeouts.ts'
import { endOthers, endSession as end, type EndedBy, type EndingParts } from './end-sessions.ts'
import { restamp } from './restamp.ts'
import { detailsOf, storedDetails, type SessionDetails } from './session-details.ts'
import {
  cookieSeconds,
  expiryOf,
  isOpen,
  rememberedEnd,
  type SessionLifetimes,
} from './session-lifetimes.ts'

/** A live session with its key in the store. */
export interface Session {
  readonly key: string
  readonly record: SessionRecord
}

/** The session to open. */
interface SessionToOpen {
  /** The id that the request presented; its session ends. */
  readonly presented: string | null
  readonly owner: Owner
  readonly stamp: string
  /** Default: none. */
  readonly details?: SessionDetails
}

/** A session that was opened. */
interface OpenedSession {
  readonly id: string
  /** As `cookieSecondsOf` returns it. */
  readonly cookieSeconds: number | null
}

interface SessionParts extends EndingParts {
  readonly clock: Clock
  readonly lifetimes: SessionLifetimes
}

/** Opens, finds and ends sessions. Only the browser knows an id; the store receives its hash. */
export type Sessions = ReturnType<typeof createSessions>

/**
 * Creates the sessions on a store.
 *
 * @see docs/http-api.md, "Sessions"
 */
export function createSessions(parts: SessionParts) {
  const { store, clock, lifetimes } = parts
  return {
    /** Finds a session; `null` when it is unknown, expired, malformed or another tenant's. */
    find: (id: string, tenant: Tenant) => find(parts, id, tenant),
    /** Returns whether a session of any tenant has this id. */
    exists: (id: string) => mapAwaitable(read(parts, hashOf(id)), (record) => record !== null),
    /** Returns the owner's live sessions, in any order. */
    listOf: async (owner: Owner) => listOf(parts, owner),
    /** Reads the session again; `null` when it has ended. */
    reload: async (session: Pick<Session, 'key'>) => reload(parts, session),
    /**
     * Opens a session in place of the presented one, and ends it again when `objection` returns
     * one.
     *
     * The check runs once the session exists. An operation that ends all sessions of the owner
     * therefore either happened before the check, which sees its effect, or also ends this session.
     *
     * @param objection Receives the session's key, and whether this call ended the presented
     *   session: of several calls at once, one did.
     */
    openUnless: async <Objection>(
      opening: SessionToOpen,
      objection: (key: string, hasEnded: boolean) => Promise<Objection | null>,
    ) => openUnless(parts, opening, objection),
    /**
     * Gives the session a new id and ends the owner's other sessions. The absolute lifetime stays,
     * and the pending secret and the confirmation are dropped. Returns `null` when the session has
     * ended; it is not recreated.
     */
    rotate: async (session: Session, by: EndedBy) => rotate(parts, session, by),
    /**
     * Opens a new session with the lifetime of an old one, and calls `change`, which ends the old
     * one. The new session ends again if `change` returns `null`, or if the old session has ended
     * or got another pending secret. Whatever ends the owner's sessions meanwhile ends the new one.
     *
     * @returns `null` when the new session has ended again.
     */
    openSuccessor: async <Result>(
      session: Session,
      given: Pick<SessionRecord, 'stamp' | 'pendingSecret' | 'details'>,
      change: (fresh: Session) => Promise<Result | null>,
    ) => openSuccessor(parts, session, given, change),
    /** Returns whether the idle limit is due to be extended: at most once a minute. */
    isDue: ({ record }: Session) =>
      clock.now() - record.lastSeenAt >= times.sessionTouchSeconds * 1000,
    /**
     * Returns the time for which a browser keeps the cookie of the session, in seconds; `null`:
     * until the browser closes.
     */
    cookieSecondsOf: ({ record }: Session) => cookieSeconds(lifetimes, record, clock.now()),
    /** Returns the end of a remembered session; `null` for others. */
    rememberedEndOf: ({ record }: Session) => rememberedEnd(lifetimes, record),
    /** Extends the idle limit. Resolves to false when the session has ended. */
    keepAlive: async (session: Session) => keepAlive(parts, session),
    /** Replaces the details. Resolves to false when the session has ended. */
    setDetails: async (session: Session, details: SessionDetails) =>
      keepAlive(parts, session, { details: JSON.stringify(details) }),
    /**
     * Compares the pending secret and sets it. Resolves to false when it has changed or the session
     * has ended.
     */
    swapSecret: async (
      key: string,
      secret: { readonly from: string | null; readonly to: string | null },
    ) => store.update(key, secret),
    /** Replaces the owner's stamps that are old. A re-hash must not end the user's sessions. */
    restamp: async (owner: Owner, isOld: (stamp: string) => boolean, to: string) =>
      restamp(parts, owner, isOld, to),
    end: async ({ key }: Pick<Session, 'key'>, by: EndedBy) => end(parts, key, by),
    /** Ends the session of a presented id, if it has one. */
    endOf: async (id: string, by: EndedBy) => void (await end(parts, hashOf(id), by)),
    endAllOf: async (owner: Owner, by: EndedBy) => endOthers(parts, owner, null, by),
    /** Ends all sessions of an owner without events, which listeners would store. */
    eraseAllOf: async (owner: Owner) => endOthers({ ...parts, events: null }, owner, null, null),
    /** Ends the other sessions of the session's owner. */
    endOthersOf: async ({ key, record }: Session, by: EndedBy) => endOthers(parts, record, key, by),
  }
}

function find(parts: SessionParts, id: string, tenant: Tenant): Awaitable<Session | null> {
  const key = hashOf(id)
  return mapAwaitable(read(parts, key), (record) =>
    record === null || record.tenant !== tenant ? null : { key, record },
  )
}

/** Reads a live session. */
function read(
  { store, clock, lifetimes }: SessionParts,
  key: string,
): Awaitable<SessionRecord | null> {
  const now = clock.now()
  return mapAwaitable(store.read(key, now), (record) =>
    record === null || !isOpen(lifetimes, record, now) ? null : record,
  )
}

/** A session of a list. */
interface KeptSession extends Session {
  /** False if this service refuses it: it has shorter lifetimes than the one that opened it. */
  readonly isOpen: boolean
}

async function listOf(
  { store, clock, lifetimes }: SessionParts,
  owner: Owner,
): Promise<readonly KeptSession[]> {
  const now = clock.now()
  const all = await store.list(owner, now)
  // With those that are not open: a command that binds fewer layers than the nodes must not hide
  // their sessions.
  return all
    .filter((record) => isAlive(record, now))
    .map(({ key, ...record }) => ({ key, record, isOpen: isOpen(lifetimes, record, now) }))
}

async function reload(parts: SessionParts, { key }: Pick<Session, 'key'>): Promise<Session | null> {
  const record = await read(parts, key)
  return record === null ? null : { key, record }
}

async function openUnless<Objection>(
  parts: SessionParts,
  { presented, owner: { tenant, userId }, stamp, details = {} }: SessionToOpen,
  objection: (key: string, hasEnded: boolean) => Promise<Objection | null>,
): Promise<OpenedSession | { readonly objection: Objection }> {
  const createdAt = parts.clock.now()
  const kept = { createdAt, details: storedDetails(details) }
  const { id, key } = await create(
    parts,
    { tenant, userId, stamp, ...kept, pendingSecret: null },
    createdAt,
  )
  const hasEnded = presented !== null && (await endOrUndo(parts, hashOf(presented), key))
  const found = await orUndo(parts, key, async () => objection(key, hasEnded))
  if (found === null) return { id, cookieSeconds: cookieSeconds(parts.lifetimes, kept, createdAt) }
  await end(parts, key)
  return { objection: found }
}

async function rotate(parts: SessionParts, old: Session, by: EndedBy): Promise<string | null> {
  const { record } = old
  const { confirmedAt: _confirmed, ...details } = detailsOf(record)
  const next = { ...record, pendingSecret: null, details: storedDetails(details) }
  const { id, key } = await create(parts, next, parts.clock.now())
  const hasEnded = await endOrUndo(parts, old.key, key)
  await endOthers(parts, record, hasEnded ? key : null, by)
  return hasEnded ? id : null
}

async function openSuccessor<Result>(
  parts: SessionParts,
  old: Session,
  given: Pick<SessionRecord, 'stamp' | 'pendingSecret' | 'details'>,
  change: (fresh: Session) => Promise<Result | null>,
): Promise<{ readonly id: string; readonly session: Session; readonly result: Result } | null> {
  const record = { ...old.record, ...given }
  const { id, key } = await create(parts, record, parts.clock.now())
  const session = { key, record }
  const result = await orUndo(parts, key, async () => {
    const now = await reload(parts, old)
    // Another secret may say that it is provisional by now, which the new one would not be.
    return now?.record.pendingSecret === old.record.pendingSecret ? change(session) : null
  })
  if (result !== null) return { id, session, result }
  await end(parts, key)
  return null
}

async function keepAlive(
  { store, clock, lifetimes }: SessionParts,
  { key, record }: Session,
  changed: Pick<SessionTouch, 'details'> = {},
): Promise<boolean> {
  const lastSeenAt = clock.now()
  const expiresAt = expiryOf(lifetimes, record, lastSeenAt)
  return store.touch(key, { ...changed, lastSeenAt, expiresAt })
}

type NewSession = Omit<SessionRecord, 'lastSeenAt' | 'expiresAt'>

/** Stores a session that is seen now. */
async function create(
  { store, lifetimes }: SessionParts,
  { tenant, userId, stamp, createdAt, pendingSecret, details }: NewSession,
  now: number,
): Promise<{ readonly id: string; readonly key: string }> {
  const id = randomId()
  const key = hashOf(id)
  const expiresAt = expiryOf(lifetimes, { createdAt, details }, now)
  const lifetime = { createdAt, lastSeenAt: now, expiresAt }
  const record = { tenant, userId, stamp, ...lifetime, pendingSecret, details }
  if (await store.create(key, record)) return { id, key }
  throw new Error('a new session id exists already: the source of randomness is broken')
}

/** Runs a step and ends the new session if it fails. No client has received its id yet. */
async function orUndo<T>(parts: SessionParts, fresh: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    await end(parts, fresh)
    throw error
  }
}

/**
 * Ends the old session, or undoes the new one when that fails. One session must never become two.
 */
async function endOrUndo(parts: SessionParts, old: string, fresh: string): Promise<boolean> {
  return orUndo(parts, fresh, async () => end(parts, old))
}
