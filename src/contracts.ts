import type { Access } from './rules/routes.ts'

/*
 * Everything that a host may implement or use, in one file. The contracts define what each method does
 * when a record is missing, expired, duplicated or requested concurrently; the implementations do not
 * repeat it. Errors are for systems; every expected outcome is a value.
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
  /** Aborted when the client goes away; left out where the host cannot tell. */
  readonly signal?: AbortSignal
  /**
   * The bytes of the body; `null` when there are more than the limit. Read at most once. A stream that ends before its
   * first byte is no body, whatever the headers announce.
   *
   * @throws {BodyConsumedError} Something else has read the body and kept nothing of it.
   */
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
 * Around a route of the host `next` resolves as soon as the request is admitted, to a reply that stands for the
 * admission: return it, or a copy by spread. Any other reply is sent in place of the host's answer.
 *
 * @see docs/specification.md, "Authentication", AU-4
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
 * A method that throws, answers with another type than promised, or does not answer within five seconds makes the
 * request 503. For a user that does not exist return `null` and do not throw: `undefined` is taken for `null`.
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
 * @see docs/specification.md, "Email verification"
 */
export interface MustVerifyEmail {
  hasVerifiedEmail(): boolean
  markEmailAsVerified(): Promise<void>
}

/** Sends one mail. A mailer that throws, or does not answer within five seconds, makes the request 503. */
export interface Mailer {
  send(message: {
    readonly to: string
    readonly subject: string
    readonly text: string
    readonly html: string
  }): Promise<void>
}

/**
 * The second factor of the host: the service contains none. Each method may answer at once or by a promise.
 * The service takes nothing but a plain `true` for a yes; a method that throws, answers something else or does
 * not answer within five seconds makes the request 503 and opens nothing.
 *
 * @see docs/specification.md, "Two-factor contract `Svc\Auth\TwoFactorAuthenticator`"
 */
export interface TwoFactorAuthenticator<User> {
  /** At login, to decide whether a code is requested. */
  isEnabledFor(user: User): Awaitable<boolean>
  /** Whether this user has to enable it before entering the panel. Asked on every request. */
  isRequiredFor(user: User): Awaitable<boolean>
  /**
   * Validates a code at login; recovery codes too. The implementation owes that a code is accepted once: the
   * same recovery code or time step from two nodes at the same moment is accepted by one of them.
   */
  verify(user: User, code: string): Awaitable<boolean>
  /** A fresh secret, at the start of activation. Nothing is stored yet. */
  newSecret(): Awaitable<string>
  /** An image: whatever the `src` of an `<img>` takes, such as a data URL, or SVG markup. At most 65,536 characters. */
  qrCode(user: User, secret: string): Awaitable<string>
  /** Validates the first code against the secret that waits in the session. */
  verifySetup(secret: string, code: string): Awaitable<boolean>
  /**
   * Stores the secret and returns the recovery codes, which are shown once: 1 to 100, each of at most 128 characters.
   * The code step takes at most 64 characters: a longer one needs a shorter form that `verify` accepts as well.
   * Rejects where it is enabled already.
   */
  enable(user: User, secret: string): Awaitable<readonly string[]>
  disable(user: User): Awaitable<void>
}

// --- Notifications ------------------------------------------------------------------------------

/** What the bell shows of a notification; text, never HTML. */
export interface BellData {
  readonly title: string
  readonly body?: string | null
  /** `https:`, `http:` or a path of this site; opened when the entry is clicked. */
  readonly url?: string | null
}

/** Something to tell a user, over the channels that it names. */
export interface Notification<User> {
  /** What kind it is; stored with the entry. */
  readonly type: string
  /** The channels: `database` is the bell, others are the host's by name. */
  via(user: User): readonly string[]
  /** Needed when `via` names `database`. */
  toDatabase?(user: User): BellData
}

/** Delivers notifications over a channel of the host. */
export type NotificationChannel<User> = (
  user: User,
  notification: Notification<User>,
) => Promise<void>

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
  /** The sealed secret of a second factor that is being set up; only the service can open it. */
  readonly pendingSecret: string | null
}

/** Whose sessions, pending logins or notifications. */
export interface Owner {
  readonly tenant: Tenant
  readonly userId: string
}

/**
 * Where sessions are kept. Every method takes what time it is; only `Stores.now` reads a clock.
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
  /**
   * Compares the pending secret with `from` and sets it to `to`, in one step.
   *
   * @returns false, changing nothing, when it is another one, or the session is gone: of many at the same moment
   *   that start from the same secret, one is told true.
   */
  update(
    key: string,
    pendingSecret: { readonly from: string | null; readonly to: string | null },
  ): Awaitable<boolean>
  /** Gives the owner's sessions that carry the stamp `from` the stamp `to`. */
  restamp(owner: Owner, from: string, to: string): Awaitable<void>
  /** Idempotent. @returns whether a session was there. */
  destroy(key: string): Awaitable<boolean>
  /** Ends the owner's sessions, all but the one named. @returns how many. */
  destroyOthers(owner: Owner, except: string | null): Awaitable<number>
  /** Removes at most `limit` sessions that are over. @returns whose they were. */
  deleteExpired(now: EpochMs, limit: number): Awaitable<readonly Owner[]>
}

/** A login whose password was right and whose code is still owed. Not a session, and never read as one. */
export interface PendingLogin {
  readonly tenant: Tenant
  readonly userId: string
  readonly stamp: string
  readonly createdAt: EpochMs
  /** The login is over from this instant on; it does not slide. */
  readonly expiresAt: EpochMs
}

/**
 * Where logins wait for their code. Keys are hashes of ids, as for sessions.
 *
 * @throws {StoreError} from every method, when the store cannot be reached.
 */
export interface PendingLoginStore {
  /** @returns false, changing nothing, when the key exists already. */
  create(key: string, login: PendingLogin): Awaitable<boolean>
  /** Unknown, expired and malformed are all `null`. */
  read(key: string, now: EpochMs): Awaitable<PendingLogin | null>
  /** Takes it away, if it is not over. @returns true to one caller, however many ask at the same moment. */
  consume(key: string, now: EpochMs): Awaitable<boolean>
  /** Idempotent. */
  destroy(key: string): Awaitable<void>
  /** Ends all of the owner's. @returns how many. */
  destroyOf(owner: Owner): Awaitable<number>
  /** Removes at most `limit` that are over. @returns how many. */
  deleteExpired(now: EpochMs, limit: number): Awaitable<number>
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
   * at the first and does not slide. A window that would end later than `now + windowMs`, as it was made under a
   * clock that was ahead, is shortened to that and keeps its count.
   */
  reserve(key: string, windowMs: number, now: EpochMs): Awaitable<Reservation>
  /** Gives one attempt of the running window back, down to none. */
  release(key: string, now: EpochMs): Awaitable<void>
  /** How many are counted in the running window, without counting one. */
  count(key: string, now: EpochMs): Awaitable<number>
  /** Forgets the key. */
  clear(key: string): Awaitable<void>
  /** Removes at most `limit` windows that are over. @returns how many. */
  deleteExpired(now: EpochMs, limit: number): Awaitable<number>
}

/** An entry of the bell, as it is stored. */
export interface StoredNotification {
  /** A UUID. */
  readonly id: string
  readonly type: string
  readonly title: string
  readonly body: string | null
  readonly url: string | null
  readonly createdAt: EpochMs
  readonly readAt: EpochMs | null
}

/** What is sent: the store gives it its place in the order of sending. */
export type NewNotification = Omit<StoredNotification, 'readAt'>

/**
 * Where the bell's entries are kept. Every method takes the owner, so that one who forgets it does not compile;
 * an entry of somebody else is as if it did not exist. Listing, counting and marking all cost the same whatever
 * the number of entries: a row per owner holds the unread count, the next place, and up to which place all are read.
 *
 * @throws {StoreError} from every method, when the store cannot be reached.
 */
export interface NotificationStore {
  /**
   * Stores the entry and raises the count in one transaction.
   *
   * @returns how many are unread now.
   * @throws {StoreError} also when the owner has an entry of that id.
   */
  add(owner: Owner, entry: NewNotification): Awaitable<number>
  /** The latest, in the order of sending, newest first. */
  latest(owner: Owner, limit: number): Awaitable<readonly StoredNotification[]>
  /** How many are unread of all, not only of the latest. */
  unreadCount(owner: Owner): Awaitable<number>
  /** Marks one; the first instant is kept. @returns how many are unread then; `null` when there is no such entry. */
  markRead(owner: Owner, id: string, now: EpochMs): Awaitable<number | null>
  /**
   * Marks all that were sent before: the instant is written on the `listed` latest, the rest is covered by the
   * mark. An entry that is sent at the same moment is read and not counted, or unread and counted.
   */
  markAllRead(owner: Owner, listed: number, now: EpochMs): Awaitable<void>
  /** Removes at most `limit` entries that were sent before; keeps the unread count right. @returns how many. */
  deleteOlder(before: EpochMs, limit: number): Awaitable<number>
}

/**
 * Tells other requests, and other nodes, what has changed. Messages are small, and losing one harms nothing lasting.
 * Those of one topic arrive in their order; `publish` need not wait for that. After an interruption, in which messages
 * may have been lost, every listener is called once with an empty message: it must look for itself.
 *
 * @throws {StoreError} from a bus between nodes, when the others cannot be reached.
 */
export interface Bus {
  publish(topic: string, message: string): Awaitable<void>
  /** Calls the listener with each message from then on. @returns how to stop. */
  subscribe(topic: string, listener: (message: string) => void): Awaitable<() => void>
}

/**
 * Keeps small facts that all nodes of a service share, such as the fingerprints of its keys.
 *
 * @throws {StoreError} from every method, when the store cannot be reached.
 */
export interface MetadataStore {
  /** `null`: there is no entry of that name. */
  read(name: string): Awaitable<string | null>
  /**
   * Sets the entry to `to` if its value is `from`, in one step; `null` stands for an entry that does not exist.
   *
   * @returns false, changing nothing, when it has another value: of many at the same moment that start from the same
   *   value, one is told true.
   */
  compareAndSet(name: string, from: string | null, to: string): Awaitable<boolean>
}

/** Everything that the service keeps. */
export interface Stores {
  readonly sessions: SessionStore
  readonly pendingLogins: PendingLoginStore
  readonly attempts: AttemptStore
  readonly notifications: NotificationStore
  readonly bus: Bus
  /** `false`: a restart forgets everything, and no other node sees it. Default: true. */
  readonly persistent?: boolean
  /**
   * One for each database that the stores are in. Without it a node whose application key differs from that of the
   * others is not noticed.
   */
  readonly metadata?: readonly MetadataStore[]
  /**
   * Returns the time of the database. Stores that several machines share have it: the service then follows this time
   * and ignores the clock of the node.
   */
  now?(): Awaitable<EpochMs>
  /** Resolves while every database can be read and written. @throws {StoreError} otherwise. */
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
  'two-factor.challenged': {
    readonly userId: string
    readonly tenant: Tenant
    readonly network: string
  }
  'two-factor.failed': {
    readonly userId: string
    readonly tenant: Tenant
    readonly network: string
  }
  'two-factor.enabled': { readonly userId: string; readonly tenant: Tenant }
  'two-factor.disabled': { readonly userId: string; readonly tenant: Tenant }
  'verification.sent': { readonly userId: string; readonly tenant: Tenant }
  verified: { readonly userId: string; readonly tenant: Tenant }
  'notification.sent': { readonly userId: string; readonly tenant: Tenant; readonly type: string }
  'notification.read': {
    readonly userId: string
    readonly tenant: Tenant
    readonly id: string | null
  }
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

const GUARD_LEVELS = ['panel', 'security', 'session'] as const satisfies readonly Access[]

/**
 * Fills in the defaults of `GuardOptions`. Callers in plain JavaScript have no types that stop a misspelt level, and
 * a level that is not known must not count as a lower one.
 *
 * @throws {ConfigError} An option is not one of its values.
 */
export function readGuardOptions(options: GuardOptions = {}): Required<GuardOptions> {
  if (typeof options !== 'object' || options === null)
    throw new ConfigError('guard: the options are an object, like { access: "security" }')
  const { access = 'panel', passive = false } = options
  if (!GUARD_LEVELS.includes(access))
    throw new ConfigError(
      `guard: access is ${inMessage(access)}: it must be one of ${GUARD_LEVELS.join(', ')}`,
    )
  if (typeof passive !== 'boolean')
    throw new ConfigError(`guard: passive is ${inMessage(passive)}: it must be true or false`)
  return { access, passive }
}

function inMessage(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${typeof value}`
}

/** What the guard decided about a request to a route of the host. */
export type Verdict<User> = Admitted<User> | Refused

/** A request to a route of the host that passed all gates. */
export interface Admitted<User> {
  readonly outcome: 'admitted'
  readonly user: User
  readonly tenant: Tenant
}

/** A request to a route of the host that did not. */
export interface Refused {
  readonly outcome:
    | 'unauthenticated'
    | 'email-verification-required'
    | 'two-factor-setup-required'
    | 'unavailable'
    | 'refused'
    | 'answered'
  /** What to send instead of the host's answer. */
  readonly reply: PlainReply
}

/** A request that stays open, like a WebSocket, and for how long it may. */
export type Watched<User> =
  | (Admitted<User> & {
      /**
       * Aborted once the request would not be admitted any more: the session ended, a gate closed, or that cannot be
       * told. Also when the client goes away or the service closes.
       */
      readonly ended: AbortSignal
      /** Watches no longer, and aborts `ended`. Not needed where the client's leaving is seen (`request.signal`). */
      readonly stop: () => void
    })
  | Refused

/** What `createPanelAuth` makes, and all that adapters know of the service. */
export interface PanelAuth<User = unknown> {
  /** Whether a request target is the service's: its API, or a page or file of its panels. */
  serves(target: string): boolean
  /** Answers a request to the service. Never throws and never rejects. */
  handle(request: PlainRequest): Promise<PlainReply>
  /** Judges a request to a route of the host by the same pipeline. Never throws and never rejects. */
  guard(request: PlainRequest, options?: GuardOptions): Promise<Verdict<User>>
  /**
   * Judges a request that stays open, such as a WebSocket or a stream of the host, and goes on doing so: whenever its
   * session may have ended, and every 25 seconds. It keeps the session alive once, when it is opened.
   *
   * Never rejects but with a ConfigError about the options.
   */
  watch(request: PlainRequest, options?: GuardOptions): Promise<Watched<User>>
  /** `handle` for web-standard requests. `address` is the client's, as the platform reports it. */
  fetch(request: Request, info: { readonly address: string | null }): Promise<Response>
  /**
   * Sends a notification over the channels that it names, the bell first.
   *
   * @throws {NotificationError} It has no title, an address that is not allowed, or an unknown channel.
   * @throws {StoreError} The bell's entry was not stored.
   */
  notify(
    user: User,
    notification: Notification<User>,
    options?: { readonly tenant?: Tenant },
  ): Promise<void>
  /** Ends all sessions and pending logins of a user. @returns how many. @throws {StoreError} */
  endSessions(userId: string, options?: { readonly tenant?: Tenant }): Promise<number>
  /**
   * Lifts the day-long limits of failed logins of an account, at unknown places and at known ones. The lock of one
   * minute, of an email and a network, ends by itself. Does nothing visible for an email that nobody has.
   *
   * @throws {StoreError}
   */
  unlock(email: string, options?: { readonly tenant?: Tenant }): Promise<void>
  /** Calls the listener on every such event. What it throws is logged and goes no further. @returns how to stop. */
  on<Event extends PanelEvent>(
    event: Event,
    listener: (payload: PanelEvents[Event]) => void,
  ): () => void
  /**
   * Removes what is over, in bounded steps.
   *
   * @param options How many days notifications are kept. Default: for ever.
   * @returns how many records.
   * @throws {StoreError}
   */
  prune(options?: { readonly keepNotificationsDays?: number }): Promise<number>
  /**
   * Resolves once the service can answer requests: its application keys are those of the other nodes, and the time of
   * the stores is known. Await it before listening, so that a node that must not answer does not start.
   *
   * @throws {ConfigError} The other nodes on these stores use other keys.
   * @throws {StoreError} The stores cannot be reached now; requests try again.
   */
  ready(): Promise<void>
  /**
   * Returns whether the service can do its work: every store can be read and written, the keys are those of the other
   * nodes, and the hashing process answers. Answers within two seconds; calls at the same moment share one check.
   * Never throws.
   */
  health(): Promise<{ readonly healthy: boolean }>
  /** Gives up the hashing process and closes the stores. Requests after it are 503. */
  close(): Promise<void>
}

// --- Errors -------------------------------------------------------------------------------------

/** An option is wrong. The message names the key and the remedy; thrown at start only. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The body of a request was read by something else before the service could. The message names the remedy. */
export class BodyConsumedError extends Error {
  override readonly name = 'BodyConsumedError'
}

/** A notification cannot be sent as it is. The message says what is wrong with it. */
export class NotificationError extends Error {
  override readonly name = 'NotificationError'
}

/** A store cannot be reached or answers nonsense. Never a refusal. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
