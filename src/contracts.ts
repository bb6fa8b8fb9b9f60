import type { Access } from './rules/routes.ts'

/*
 * Everything that a host may implement or meets, in one file. What a method must do when the thing
 * is missing, expired, duplicated or asked for at the same moment stands here and is not repeated
 * by the implementations. Errors are for systems; everything expected is a value.
 */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number

/** A value, or a promise of it. Implementations choose; the service always awaits. */
export type Awaitable<T> = T | Promise<T>

/** Whose panel it is where one service serves several organisations; `null` where there is only one. */
export type Tenant = string | null

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** The one source of time. */
export interface Clock {
  now(): EpochMs
}

// --- Requests -----------------------------------------------------------------------------------

/** A request as the core sees it: plain values that every framework can give. */
export interface PlainRequest {
  readonly method: string
  /** The request target as it was sent: path and query, not decoded, not normalised. */
  readonly target: string
  /** One header by its lower-case name; several lines of the same name are joined with ", ". `null`: none. */
  header(name: string): string | null
  /** The address of the socket's other end; `null` where the host cannot tell. */
  readonly address: string | null
  /** The bytes of the body; `null` when there are more than the limit. Read at most once. */
  body(limitBytes: number): Promise<Uint8Array | null>
}

/** What a body can be: whole, or bytes as they come. */
export type ReplyBody = string | Uint8Array | AsyncIterable<Uint8Array | string>

export interface PlainReply {
  readonly status: number
  /** By lower-case name. A list stands for several lines of the same name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: ReplyBody | null
}

/** What a middleware is given. */
export interface RequestContext {
  readonly request: PlainRequest
  /** `svc.middleware` may set it; it is settled before the session is resolved. */
  tenant: Tenant
  /** The user, once resolved: `null` in `svc.middleware`, and for guests. */
  readonly user: unknown
}

/**
 * Runs around what follows it. It may answer by itself, without calling `next`.
 * Around a route of the host `next` resolves as soon as the request is admitted.
 *
 * @see Specification, "Authentication", 4
 */
export type Middleware = (
  context: RequestContext,
  next: () => Promise<PlainReply>,
) => Promise<PlainReply>

// --- The host's users ---------------------------------------------------------------------------

/** A user to be made from the command line. */
export interface NewUser {
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
}

/**
 * The host's own users table. The service reads it again on every request and keeps no copy.
 * A method that throws, or does not answer within five seconds, makes the request 503.
 */
export interface UserProvider<User> {
  /** `null`: there is none, or not in this tenant. */
  findById(id: string, tenant: Tenant): Promise<User | null>
  /**
   * @param email Canonical: trimmed, Unicode NFC, lower case, the domain in ASCII. Compare it byte for byte
   *   with a column that holds the same form; a collation that ignores case or accents finds too much.
   */
  findByEmail(email: string, tenant: Tenant): Promise<User | null>
  identify(user: User): {
    readonly id: string
    readonly email: string
    readonly name: string | null
  }
  /** `null`: this user cannot log in with a password. argon2 and bcrypt hashes are understood. */
  passwordHash(user: User): string | null
  /**
   * Replaces a hash that is weaker than today's: compare and set, in one statement.
   *
   * @returns false when the stored hash is not `from` any more; nothing is changed then.
   */
  rehash?(user: User, from: string, to: string): Promise<boolean>
  /** The body of `GET /user`; by default id, name, email and email_verified_at. */
  present?(user: User): JsonObject
  /** Only `true` lets the user in; asked again on every request. */
  canAccessPanel?(user: User): boolean | Promise<boolean>
  /** For the command line. */
  create?(fields: NewUser, tenant: Tenant): Promise<User>
}

/**
 * Structural: a user object that has these methods must verify its email, any other never.
 *
 * @see Specification, "Email verification"
 */
export interface MustVerifyEmail {
  hasVerifiedEmail(): boolean
  markEmailAsVerified(): Promise<void>
}

// --- Stores -------------------------------------------------------------------------------------

/** What is kept of a session. Its id is not: a store sees only the SHA-256 of it, as base64url. */
export interface SessionRecord {
  readonly tenant: Tenant
  readonly userId: string
  /** Changes when the user's password changes; compared by the service, not by the store. */
  readonly stamp: string
  readonly createdAt: EpochMs
  readonly lastSeenAt: EpochMs
  /** The session is over from this instant on. */
  readonly expiresAt: EpochMs
}

/** Whose sessions. */
export interface SessionOwner {
  readonly tenant: Tenant
  readonly userId: string
}

/**
 * Where sessions are kept. Every method takes what time it is; a store reads no clock.
 * Every method is one atomic step, also between nodes.
 *
 * @throws {StoreError} from every method, when the store cannot be reached or answers nonsense.
 */
export interface SessionStore {
  /** @returns false, changing nothing, when the key exists already. */
  create(key: string, record: SessionRecord): Awaitable<boolean>
  /** Unknown, expired and malformed are all `null`. */
  read(key: string, now: EpochMs): Awaitable<SessionRecord | null>
  /** Moves the idle limit; `lastSeenAt` is what time it is. @returns false, changing nothing, when the session is gone: it is never brought back. */
  touch(key: string, seen: Pick<SessionRecord, 'lastSeenAt' | 'expiresAt'>): Awaitable<boolean>
  /** Gives the owner's sessions that carry the stamp `from` the stamp `to`. */
  restamp(owner: SessionOwner, from: string, to: string): Awaitable<void>
  /** Idempotent. @returns whether a session was there. */
  destroy(key: string): Awaitable<boolean>
  /** Ends the owner's sessions, all but the one named. @returns how many. */
  destroyOthers(owner: SessionOwner, except: string | null): Awaitable<number>
  /** Removes at most `limit` sessions that are over. @returns whose they were. */
  deleteExpired(now: EpochMs, limit: number): Awaitable<readonly SessionOwner[]>
}

/** The place of one attempt in its window. */
export interface Reservation {
  /** 1 for the first. */
  readonly number: number
  /** When the window is over and the next attempt is the first again. */
  readonly endsAt: EpochMs
}

/**
 * Where everything that is guessed or rationed is counted. Keys are hashes: nothing in them can be read.
 *
 * @throws {StoreError} from every method, when the store cannot be reached.
 */
export interface AttemptStore {
  /** The store's word that `reserve` is one atomic step for all nodes; checked at start. */
  readonly atomic: true
  /**
   * Counts one attempt and tells its number: N at the same moment get N distinct numbers. The window starts
   * at the first and does not slide. A window that ends later than `latestEnd` of rules/limits.ts was made under
   * a clock that has since been set back; it is over.
   */
  reserve(key: string, windowMs: number, now: EpochMs): Awaitable<Reservation>
  /** Gives one attempt of the running window back, down to none. */
  giveBack(key: string, now: EpochMs): Awaitable<void>
  /** How many are counted in the running window, without counting one. */
  count(key: string, now: EpochMs): Awaitable<number>
  /** Forgets the key. */
  clear(key: string): Awaitable<void>
  /** Removes at most `limit` windows that are over. @returns how many. */
  deleteExpired(now: EpochMs, limit: number): Awaitable<number>
}

/** Everything that the service keeps. */
export interface Stores {
  readonly sessions: SessionStore
  readonly attempts: AttemptStore
  /** Resolves while the stores answer. @throws {StoreError} otherwise. */
  check(): Awaitable<void>
  /** Releases what the stores opened themselves. Idempotent. */
  close(): Awaitable<void>
}

// --- Events and logs ----------------------------------------------------------------------------

/** What happened, without credentials or codes. `network` is the IPv4 address or the IPv6 /64. */
export interface PanelEvents {
  attempting: { readonly email: string; readonly tenant: Tenant; readonly network: string }
  login: { readonly userId: string; readonly tenant: Tenant; readonly network: string }
  failed: {
    readonly email: string
    readonly userId: string | null
    readonly tenant: Tenant
    readonly network: string
  }
  lockout: { readonly email: string; readonly tenant: Tenant; readonly network: string }
  logout: { readonly userId: string; readonly tenant: Tenant }
  'session.expired': {
    readonly userId: string
    readonly tenant: Tenant
    readonly reason: 'lifetime' | 'user-gone' | 'user-refused' | 'password-changed'
  }
  'csrf.refused': {
    readonly reason: 'origin' | 'token'
    readonly tenant: Tenant
    readonly network: string
  }
}

export type PanelEvent = keyof PanelEvents

/** What pino, and anything shaped like it, accepts. */
export interface Logger {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

// --- The service --------------------------------------------------------------------------------

/** How a route of the host is guarded. */
export interface GuardOptions {
  /** Which gates stand before it. Default: `panel`, all of them. */
  readonly access?: Exclude<Access, 'guest'>
  /** The request does not keep the session alive, as polling should not. Default: false. */
  readonly passive?: boolean
}

/** What the guard decided about a request to a route of the host. */
export type Verdict<User> =
  | { readonly outcome: 'admitted'; readonly user: User; readonly tenant: Tenant }
  | {
      readonly outcome:
        | 'unauthenticated'
        | 'email-verification-required'
        | 'unavailable'
        | 'refused'
        | 'answered'
      /** What to send instead of the host's answer. */
      readonly reply: PlainReply
    }

/** What `createPanelAuth` makes, and all that adapters know of the service. */
export interface PanelAuth<User = unknown> {
  /** Whether a request target is the service's: its API, or a page or file of its panels. */
  serves(target: string): boolean
  /** Answers a request to the service. Never throws and never rejects. */
  handle(request: PlainRequest): Promise<PlainReply>
  /** Judges a request to a route of the host by the same pipeline. Never throws and never rejects. */
  guard(request: PlainRequest, options?: GuardOptions): Promise<Verdict<User>>
  /** `handle` for web-standard requests. `address` is the client's, as the platform reports it. */
  fetch(request: Request, info: { readonly address: string | null }): Promise<Response>
  /** Ends all sessions of a user. @returns how many. @throws {StoreError} */
  endSessions(userId: string, options?: { readonly tenant?: Tenant }): Promise<number>
  /** Calls the listener on every such event. What it throws is logged and goes no further. @returns how to stop. */
  on<Event extends PanelEvent>(
    event: Event,
    listener: (payload: PanelEvents[Event]) => void,
  ): () => void
  /** Removes what is over, in bounded steps. @returns how many records. @throws {StoreError} */
  prune(): Promise<number>
  /** Whether the service can do its work: its stores answer. Never throws. */
  health(): Promise<{ readonly healthy: boolean }>
  /** Stops the hashing process and closes the stores. Requests after it are 503. */
  close(): Promise<void>
}

// --- Errors -------------------------------------------------------------------------------------

/** An option is wrong. The message names the key and the remedy; thrown at start only. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** A store cannot be reached or answers nonsense. Never a refusal. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
