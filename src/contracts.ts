/*
 * Everything that a host may implement, in one file. The contracts define what each method
 * does when a record is missing, expired, duplicated or requested concurrently; the implementations
 * do not repeat it. Errors are for systems; every expected outcome is a value.
 */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number

/** A value or a promise of it. An implementation chooses; the service always awaits. */
export type Awaitable<T> = T | Promise<T>

/** The organisation that a panel belongs to, when one service serves several; otherwise `null`. */
export type Tenant = string | null

/** A value that JSON can represent; RFC 8259. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
/** An object of JSON; RFC 8259. */
export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * The only source of time.
 *
 * @see `fakeClock` of `@svc/auth/testing`
 */
export interface Clock {
  now(): EpochMs
}

// --- Requests -----------------------------------------------------------------------------------

/**
 * A request as the core sees it: plain values that every framework can provide.
 *
 * @see `toPlainRequest` of `@svc/auth/node`
 */
export interface PlainRequest {
  readonly method: string
  /** The request target as sent: path and query, neither decoded nor normalised. */
  readonly target: string
  /**
   * Returns a header by its lower-case name, or `null`. Several lines of one name are joined with
   * ", ".
   */
  header(name: string): string | null
  /** The address of the socket's peer; `null` when the host does not know it. */
  readonly address: string | null
  /** Aborted when the client disconnects; omitted when the host cannot detect that. */
  readonly signal?: AbortSignal
  /**
   * Returns the bytes of the body; `null` when it exceeds the limit. Read at most once. A stream
   * that ends before its first byte counts as no body, whatever the headers announce.
   *
   * @throws {BodyConsumedError} Other code has read the body and kept nothing of it.
   */
  body(limitBytes: number): Promise<Uint8Array | null>
}

/** A body: complete, or as a stream of chunks. */
export type ReplyBody = string | Uint8Array | AsyncIterable<Uint8Array | string>

/** A reply as the core makes it, for an adapter to send as it is. */
export interface PlainReply {
  readonly status: number
  /** By lower-case name. A list stands for several lines of the same name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** `null`: the reply has no body. */
  readonly body: ReplyBody | null
}

/** The argument of a middleware. */
export interface RequestContext {
  readonly request: PlainRequest
  /** `svc.middleware` may set it; it is final before the session is resolved. */
  tenant: Tenant
  /** The resolved user; `null` in `svc.middleware` and for guests. */
  readonly user: unknown
}

/**
 * Wraps the steps that follow it. A middleware may reply without calling `next`. On a route of the
 * host, `next` resolves as soon as the request is admitted, to a reply that stands for the
 * admission: return it, or a copy made by spread. Any other reply is sent in place of the host's
 * response.
 *
 * @see docs/specification.md, "Authentication", AU-4
 *
 * @example
 * ```ts
 * const identifyTenant: Middleware = (context, next) => {
 *   context.tenant = context.request.header('host')?.split('.')[0] ?? null
 *   return next()
 * }
 * ```
 */
export type Middleware = (
  context: RequestContext,
  next: () => Promise<PlainReply>,
) => Promise<PlainReply>

// --- The host's users ---------------------------------------------------------------------------

/** A user to create from the command line. */
export interface NewUser {
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
}

/**
 * The host's own users table. The service reads it on every request and keeps no copy. A method
 * that throws, returns a value of another type, or does not answer within five seconds makes the
 * request 503. Return `null` for a user that does not exist, and do not throw; `undefined` counts
 * as `null`.
 *
 * @example
 * ```ts
 * const users: UserProvider<User> = {
 *   findById: (id) => db.first('select * from users where id = ?', id),
 *   findByEmail: (email) => db.first('select * from users where email = ?', email),
 *   identify: ({ id, email, name }) => ({ id, email, name }),
 *   passwordHash: (user) => user.passwordHash,
 * }
 * ```
 */
export interface UserProvider<User> {
  /** Finds a user by id; `null` when it does not exist in this tenant. */
  findById(id: string, tenant: Tenant): Promise<User | null>
  /**
   * Finds a user by email.
   *
   * @param email Canonical: trimmed, Unicode NFC, lower case, the domain in ASCII. Compare it byte
   *   for byte with a column that holds the same form. A collation that ignores case or accents
   *   matches too many rows.
   */
  findByEmail(email: string, tenant: Tenant): Promise<User | null>
  identify(user: User): {
    readonly id: string
    readonly email: string
    readonly name: string | null
  }
  /**
   * Returns the stored hash, argon2 or bcrypt; `null` when the user cannot log in with a password.
   */
  passwordHash(user: User): string | null
  /**
   * Replaces a hash whose parameters are outdated, by compare and set in one statement.
   *
   * @returns false, changing nothing, when the stored hash is no longer `from`.
   */
  rehash?(user: User, from: string, to: string): Promise<boolean>
  /** Returns the body of `GET /user`; by default id, name, email and email_verified_at. */
  present?(user: User): JsonObject
  /** Returns `true` to admit the user; any other value refuses. Called on every request. */
  canAccessPanel?(user: User): boolean | Promise<boolean>
  /** Creates a user for the command line. */
  create?(fields: NewUser, tenant: Tenant): Promise<User>
}

/**
 * A structural contract: a user object with these methods must verify its email, any other need
 * not.
 *
 * @see docs/specification.md, "Email verification"
 *
 * @example
 * ```ts
 * const withVerification = (user: User): User & MustVerifyEmail => ({
 *   ...user,
 *   hasVerifiedEmail: () => user.verifiedAt !== null,
 *   markEmailAsVerified: async () => {
 *     await db.run('update users set verified_at = now() where id = ?', user.id)
 *   },
 * })
 * ```
 */
export interface MustVerifyEmail {
  hasVerifiedEmail(): boolean
  markEmailAsVerified(): Promise<void>
}

/**
 * Sends one mail. A mailer that throws or does not answer within five seconds makes the request
 * 503.
 *
 * @example
 * ```ts
 * import { createTransport } from 'nodemailer'
 *
 * const smtp = createTransport('smtp://localhost')
 * const mailer: Mailer = {
 *   async send(message) {
 *     await smtp.sendMail({ from: 'panel@example.com', ...message })
 *   },
 * }
 * ```
 */
export interface Mailer {
  send(message: {
    readonly to: string
    readonly subject: string
    readonly text: string
    readonly html: string
  }): Promise<void>
}

/**
 * The host's second factor; the service contains none. Each method may return a value or a promise.
 * Only a literal `true` counts as yes. A method that throws, returns a value of another type or
 * does not answer within five seconds makes the request 503 and admits nobody.
 *
 * @see docs/specification.md, "Two-factor contract `Svc\Auth\TwoFactorAuthenticator`"
 * @see `twoFactorCases` of `@svc/auth/testing`
 */
export interface TwoFactorAuthenticator<User> {
  /** Returns whether a login of this user needs a code. */
  isEnabledFor(user: User): Awaitable<boolean>
  /**
   * Returns whether this user must enable the second factor before entering the panel. Called on
   * every request.
   */
  isRequiredFor(user: User): Awaitable<boolean>
  /**
   * Verifies a code or recovery code at login. The implementation must accept each code once: of
   * two nodes that verify the same recovery code or time step at the same moment, one succeeds.
   */
  verify(user: User, code: string): Awaitable<boolean>
  /** Returns a new secret at the start of the set-up. Must not store it yet. */
  newSecret(): Awaitable<string>
  /**
   * Returns an image: any value for the `src` of an `<img>`, such as a data URL, or SVG markup. At
   * most 65,536 characters.
   */
  qrCode(user: User, secret: string): Awaitable<string>
  /** Verifies the first code against the secret that waits in the session. */
  verifySetup(secret: string, code: string): Awaitable<boolean>
  /**
   * Stores the secret and returns the recovery codes, which are shown once: 1 to 100, each of at
   * most 128 characters. The code form accepts at most 64 characters, so a longer code needs a
   * shorter form that `verify` accepts too. Rejects when the factor is enabled already.
   */
  enable(user: User, secret: string): Awaitable<readonly string[]>
  disable(user: User): Awaitable<void>
}

// --- Notifications ------------------------------------------------------------------------------

/** The content of a notification in the bell; text, never HTML. */
export interface BellData {
  readonly title: string
  readonly body?: string | null
  /** `https:`, `http:` or a path of this site. Opened when the user clicks the entry. */
  readonly url?: string | null
}

/**
 * A message to a user, over the channels that it names.
 *
 * @example
 * ```ts
 * const orderShipped = (order: string): Notification<User> => ({
 *   type: 'order-shipped',
 *   via: () => ['database'],
 *   toDatabase: () => ({ title: `Order ${order} has shipped`, url: `/orders/${order}` }),
 * })
 * ```
 */
export interface Notification<User> {
  /** The kind of notification, stored with the entry. */
  readonly type: string
  /** Returns the channels: `database` is the bell, others are the host's channels by name. */
  via(user: User): readonly string[]
  /** Returns the bell entry. Required when `via` names `database`. */
  toDatabase?(user: User): BellData
}

/**
 * Delivers notifications over a channel of the host.
 *
 * @example
 * ```ts
 * const chat: NotificationChannel<User> = async (user, { type }) => {
 *   await fetch('https://chat.example.com/hook', { method: 'POST', body: `${user.name}: ${type}` })
 * }
 * ```
 */
export type NotificationChannel<User> = (
  user: User,
  notification: Notification<User>,
) => Promise<void>

// --- Stores -------------------------------------------------------------------------------------

/**
 * The stored form of a session. It does not contain the session id: a store receives only the
 * SHA-256 of the id, as base64url.
 */
export interface SessionRecord {
  readonly tenant: Tenant
  readonly userId: string
  /** Changes with the user's password. The service compares it, not the store. */
  readonly stamp: string
  readonly createdAt: EpochMs
  readonly lastSeenAt: EpochMs
  /** The session has expired from this time on. */
  readonly expiresAt: EpochMs
  /** The sealed secret of a second factor during set-up; only the service can decrypt it. */
  readonly pendingSecret: string | null
}

/** The user that owns sessions, pending logins or notifications. */
export interface Owner {
  readonly tenant: Tenant
  readonly userId: string
}

/**
 * Stores sessions. Every method receives the current time; only `Stores.now` reads a clock. Every
 * method is one atomic step, also across nodes.
 *
 * @throws {StoreError} from every method, when the store is unreachable or returns malformed data.
 * @see `sessionStoreCases` of `@svc/auth/testing`
 */
export interface SessionStore {
  /**
   * Creates a session.
   *
   * @returns false, changing nothing, when the key exists already.
   */
  create(key: string, record: SessionRecord): Awaitable<boolean>
  /** Returns a session; `null` when it is unknown, expired or malformed. */
  read(key: string, now: EpochMs): Awaitable<SessionRecord | null>
  /**
   * Extends the idle limit; `lastSeenAt` is the current time.
   *
   * @returns false, changing nothing, when the session has ended. It must never be recreated.
   */
  touch(key: string, seen: Pick<SessionRecord, 'lastSeenAt' | 'expiresAt'>): Awaitable<boolean>
  /**
   * Compares the pending secret with `from` and sets it to `to`, in one step.
   *
   * @returns false, changing nothing, when the secret differs or the session has ended. Of
   *   concurrent calls with the same `from`, one returns true.
   */
  update(
    key: string,
    pendingSecret: { readonly from: string | null; readonly to: string | null },
  ): Awaitable<boolean>
  /** Replaces the stamp `from` with `to` in the owner's sessions. */
  restamp(owner: Owner, from: string, to: string): Awaitable<void>
  /**
   * Ends a session. Idempotent.
   *
   * @returns true when the session existed.
   */
  destroy(key: string): Awaitable<boolean>
  /**
   * Ends the owner's sessions except the named one.
   *
   * @returns their number.
   */
  destroyOthers(owner: Owner, except: string | null): Awaitable<number>
  /**
   * Removes at most `limit` expired sessions.
   *
   * @returns their owners.
   */
  deleteExpired(now: EpochMs, limit: number): Awaitable<readonly Owner[]>
}

/**
 * A login whose password was correct and whose code is due. It is not a session, and is never read
 * as one.
 */
export interface PendingLogin {
  readonly tenant: Tenant
  readonly userId: string
  readonly stamp: string
  readonly createdAt: EpochMs
  /** The login has expired from this time on; the time does not slide. */
  readonly expiresAt: EpochMs
}

/**
 * Stores pending logins. Keys are hashes of ids, as for sessions.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `pendingLoginStoreCases` of `@svc/auth/testing`
 */
export interface PendingLoginStore {
  /**
   * Creates a pending login.
   *
   * @returns false, changing nothing, when the key exists already.
   */
  create(key: string, login: PendingLogin): Awaitable<boolean>
  /** Returns a pending login; `null` when it is unknown, expired or malformed. */
  read(key: string, now: EpochMs): Awaitable<PendingLogin | null>
  /**
   * Removes the pending login unless it has expired.
   *
   * @returns true to exactly one of any number of concurrent callers.
   */
  consume(key: string, now: EpochMs): Awaitable<boolean>
  /** Removes the pending login. Idempotent. */
  destroy(key: string): Awaitable<void>
  /**
   * Removes all pending logins of the owner.
   *
   * @returns their number.
   */
  destroyOf(owner: Owner): Awaitable<number>
  /**
   * Removes at most `limit` expired pending logins.
   *
   * @returns their number.
   */
  deleteExpired(now: EpochMs, limit: number): Awaitable<number>
}

/** The position of an attempt in its window. */
export interface Reservation {
  /** 1 for the first. */
  readonly number: number
  /** The time at which the window ends and the next attempt is the first again. */
  readonly endsAt: EpochMs
}

/**
 * Counts everything that can be guessed or is rate limited. Keys are hashes, so they reveal
 * nothing.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `attemptStoreCases` of `@svc/auth/testing`
 */
export interface AttemptStore {
  /** The store's promise that `reserve` is one atomic step across all nodes; checked at start. */
  readonly atomic: true
  /**
   * Counts one attempt and returns its number: N concurrent calls get N distinct numbers. The
   * window starts at the first attempt and does not slide. A window that would end after `now +
   * windowMs`, because it was created under a clock that was ahead, is shortened to that and keeps
   * its count.
   */
  reserve(key: string, windowMs: number, now: EpochMs): Awaitable<Reservation>
  /** Gives one attempt of the current window back, down to zero. */
  release(key: string, now: EpochMs): Awaitable<void>
  /** Returns the count of the current window without adding to it. */
  count(key: string, now: EpochMs): Awaitable<number>
  /** Forgets the key. */
  clear(key: string): Awaitable<void>
  /**
   * Removes at most `limit` expired windows.
   *
   * @returns their number.
   */
  deleteExpired(now: EpochMs, limit: number): Awaitable<number>
}

/** A stored entry of the bell. */
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

/** An entry to add; the store assigns its position in the order of sending. */
export type NewNotification = Omit<StoredNotification, 'readAt'>

/**
 * Stores the entries of the bell. Every method takes the owner, so that code without it does not
 * compile; another owner's entry counts as missing. Listing, counting and marking take the same
 * time for any number of entries: one row per owner holds the unread count, the next position, and
 * the read mark, up to which all entries are read.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `notificationStoreCases` of `@svc/auth/testing`
 */
export interface NotificationStore {
  /**
   * Stores the entry and increments the count in one transaction.
   *
   * @returns the unread count after it.
   * @throws {StoreError} also when the owner has an entry with that id.
   */
  add(owner: Owner, entry: NewNotification): Awaitable<number>
  /** Returns the latest entries in order of sending, newest first. */
  latest(owner: Owner, limit: number): Awaitable<readonly StoredNotification[]>
  /** Returns the unread count of all entries, not only of the latest. */
  unreadCount(owner: Owner): Awaitable<number>
  /**
   * Marks an entry as read and keeps its first time.
   *
   * @returns the unread count after it; `null` when no such entry exists.
   */
  markRead(owner: Owner, id: string, now: EpochMs): Awaitable<number | null>
  /**
   * Marks all earlier entries as read: writes the time on the `listed` latest and moves the read
   * mark past the others. A concurrently sent entry is either read and not counted, or unread and
   * counted.
   */
  markAllRead(owner: Owner, listed: number, now: EpochMs): Awaitable<void>
  /**
   * Removes at most `limit` entries sent before the given time, and keeps the unread count correct.
   *
   * @returns their number.
   */
  deleteOlder(before: EpochMs, limit: number): Awaitable<number>
}

/**
 * Notifies other requests and nodes of changes. Messages are small, and losing one has no lasting
 * effect. Messages of one topic arrive in order; `publish` need not wait for their delivery. After
 * an interruption that may have lost messages, every listener is called once with an empty message
 * and must read the current state.
 *
 * @throws {StoreError} from a bus between nodes, when the others are unreachable.
 * @see `busCases` of `@svc/auth/testing`
 */
export interface Bus {
  publish(topic: string, message: string): Awaitable<void>
  /**
   * Calls the listener with each later message.
   *
   * @returns a function that unsubscribes.
   */
  subscribe(topic: string, listener: (message: string) => void): Awaitable<() => void>
}

/**
 * Stores small values that all nodes of a service share, such as the fingerprints of its keys.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `metadataStoreCases` of `@svc/auth/testing`
 */
export interface MetadataStore {
  /** Returns an entry; `null` when it does not exist. */
  read(name: string): Awaitable<string | null>
  /**
   * Sets the entry to `to` if its value is `from`, in one step; `null` stands for a missing entry.
   *
   * @returns false, changing nothing, when the value differs. Of concurrent calls with the same
   *   `from`, one returns true.
   */
  compareAndSet(name: string, from: string | null, to: string): Awaitable<boolean>
}

/**
 * All stores of the service.
 *
 * @see `memoryStores` of `@svc/auth/memory`
 */
export interface Stores {
  readonly sessions: SessionStore
  readonly pendingLogins: PendingLoginStore
  readonly attempts: AttemptStore
  readonly notifications: NotificationStore
  readonly bus: Bus
  /** `false` when a restart loses everything and no other node sees it. Default: true. */
  readonly persistent?: boolean
  /**
   * One per database of the stores. Without it, a node with a different application key is not
   * detected.
   */
  readonly metadata?: readonly MetadataStore[]
  /**
   * Returns the time of the database. Stores that several machines share must provide it: the
   * service then uses this time and ignores the node's clock.
   */
  now?(): Awaitable<EpochMs>
  /**
   * Resolves while every database can be read and written.
   *
   * @throws {StoreError} otherwise.
   */
  check(): Awaitable<void>
  /** Releases what the stores opened themselves. Idempotent. */
  close(): Awaitable<void>
}

// --- Logs ---------------------------------------------------------------------------------------

/**
 * A logger with the interface of pino.
 *
 * @example
 * ```ts
 * const logger: Logger = {
 *   warn: (fields, message) => console.warn(message, fields),
 *   error: (fields, message) => console.error(message, fields),
 * }
 * ```
 */
export interface Logger {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
