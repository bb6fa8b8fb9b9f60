/* What a host may implement. Errors are for systems; every expected outcome is a value. */

import type { Awaitable } from './awaitable.ts'
import type { Impersonator } from './impersonation.ts'

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number

export type { Awaitable }
export type { BellData, Notification, NotificationChannel } from './notification-contract.ts'
export type { TwoFactorAuthenticator } from './two-factor-authenticator.ts'

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

/**
 * A request as the core sees it: plain values that every framework can provide.
 *
 * @see `toPlainRequest` of `@svc/auth/node`
 */
export interface PlainRequest {
  readonly method: string
  /** Path and query as sent, not decoded; without what routers skip, and `\` as `/`. */
  readonly target: string
  /** Returns a header by its lower-case name, or `null`. Several lines are joined with ", ". */
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
  /** `svc.middleware` may set it, in one spelling; it is final before the session is resolved. */
  tenant: Tenant
  /** The resolved user; `null` in `svc.middleware` and for guests. */
  readonly user: unknown
  /** The person who acts as the user; `null` in the user's own session. */
  readonly impersonator: Impersonator | null
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
 *   context.tenant = context.request.header('host')?.toLowerCase().split('.')[0] ?? null
 *   return next()
 * }
 * ```
 */
export type Middleware = (
  context: RequestContext,
  next: () => Promise<PlainReply>,
) => Promise<PlainReply>

/** A user to create from the command line. */
export interface NewUser {
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  /** `true`: the user must set up a second factor before entering the panel. Default: false. */
  readonly requireTwoFactor?: boolean
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
export interface UserProvider<User, Presented extends JsonObject = JsonObject> {
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
  /**
   * Returns who a user is, as it is stored. The service compares it with what it asked for: a user
   * with another id, tenant or canonical email is not the one, whatever a collation finds.
   */
  identify(user: User): {
    readonly id: string
    readonly email: string
    readonly name: string | null
    /** Default: the tenant is not compared. */
    readonly tenant?: Tenant
  }
  /**
   * Returns the stored hash, `null` when the user cannot log in with a password: argon2, bcrypt, or
   * a form that `passwords.formats` names.
   */
  passwordHash(user: User): string | null
  /**
   * Verifies a password whose hash the service cannot read. Only a literal `true` is a match; the
   * hash is then replaced by `rehash`. Its time tells these users from unknown ones.
   */
  verifyPassword?(user: User, password: string): Awaitable<boolean>
  /**
   * Replaces a hash whose parameters are outdated, by compare and set in one statement.
   *
   * @returns false, changing nothing, when the stored hash is no longer `from`.
   */
  rehash?(user: User, from: string, to: string): Promise<boolean>
  /**
   * Stores the hash of a new password, by compare and set in one statement.
   *
   * @param from The stored hash; `null` for a user without a password.
   * @returns false, changing nothing, when the stored hash is no longer `from`.
   */
  setPasswordHash?(user: User, from: string | null, to: string): Promise<boolean>
  /** Returns the body of `GET /user`; by default id, name, email and email_verified_at. */
  present?(user: User): Presented
  /** Returns `true` to admit the user; any other value refuses. Called on every request. */
  canAccessPanel?(user: User): boolean | Promise<boolean>
  /** Creates a user for the command line. */
  create?(fields: NewUser, tenant: Tenant): Promise<User>
}

/**
 * A structural contract: a user with these methods must verify its email, any other need not.
 *
 * @see docs/specification.md, "Email verification"
 *
 * @example
 * ```ts
 * const withVerification = (user: User): User & MustVerifyEmail => ({
 *   ...user,
 *   hasVerifiedEmail: () => user.verifiedAt !== null,
 *   markEmailAsVerified: async () => {
 *     const { id, email } = user
 *     await db.run('update users set verified_at = now() where id = ? and email = ?', id, email)
 *   },
 * })
 * ```
 */
export interface MustVerifyEmail {
  hasVerifiedEmail(): boolean
  /** Marks the address of this object as verified, and no other that the user may have by now. */
  markEmailAsVerified(): Promise<void>
}

/**
 * Sends one mail. A mailer that throws, resolves with `error` or `ok: false`, or does not answer
 * within five seconds makes the request 503.
 *
 * @example
 * ```ts
 * import { createTransport } from 'nodemailer'
 *
 * const smtp = createTransport('smtps://user:password@mail.example.com')
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
