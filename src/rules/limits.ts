import { MAX_TWO_FACTOR_DEVICES, RESET_MINUTES, VERIFICATION_MINUTES } from './panel-limits.ts'

/** A maximum within a fixed window, which starts at the first attempt and does not slide. */
export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}

/** Requests of the route of that name: by network for guests, by user otherwise. */
const routeLimits = {
  login: { max: 10, windowSeconds: 60 },
  'login.two-factor': { max: 10, windowSeconds: 60 },
  'two-factor.setup': { max: 10, windowSeconds: 60 },
  'two-factor.confirm': { max: 10, windowSeconds: 60 },
  'two-factor.disable': { max: 10, windowSeconds: 60 },
  'svc.email.send': { max: 3, windowSeconds: 60 },
  confirm: { max: 10, windowSeconds: 60 },
  'password.change': { max: 10, windowSeconds: 60 },
  'password.forgot': { max: 3, windowSeconds: 60 },
  'password.reset': { max: 10, windowSeconds: 60 },
  'sessions.end': { max: 10, windowSeconds: 60 },
  'sessions.end-others': { max: 10, windowSeconds: 60 },
  'sessions.disown': { max: 10, windowSeconds: 60 },
  'trusted-devices.end': { max: 10, windowSeconds: 60 },
} as const

/**
 * The default of every limit. The host's `limits` option can change each.
 *
 * @see docs/specification.md, "Limits"; docs/http-api.md, "Limits"
 */
export const limits = {
  /** Failed logins of one email and network. The lockout lasts until the window ends. */
  'login.failed': { max: 5, windowSeconds: 60 },
  /**
   * Consecutive failed logins of one account from all unknown places. Beyond it, only known places
   * may try.
   */
  'login.failed.account': { max: 100, windowSeconds: 24 * 60 * 60 },
  /**
   * Consecutive failed logins of one account from a known place: a network or browser of an earlier
   * login.
   */
  'login.failed.place': { max: 100, windowSeconds: 24 * 60 * 60 },

  /** Codes of one pending login. It expires with the window, which starts with the password. */
  'two-factor.pending': { max: 5, windowSeconds: 5 * 60 },

  /** Incorrect codes of one user over all pending logins, from one network or known browser. */
  'two-factor.network': { max: 20, windowSeconds: 60 * 60 },
  /** The same from all unknown places together. Beyond it, only known places may try. */
  'two-factor.user': { max: 100, windowSeconds: 24 * 60 * 60 },
  /** The same from a known place: a network or browser of an earlier login. */
  'two-factor.place': { max: 100, windowSeconds: 24 * 60 * 60 },

  ...routeLimits,

  /** Consecutive incorrect current passwords of one user, from all sessions and networks. */
  'password.incorrect': { max: 5, windowSeconds: 60 },
  'password.incorrect.day': { max: 20, windowSeconds: 24 * 60 * 60 },
  /** Requests for a link to a new password. Beyond it, no mail is sent, and nobody learns it. */
  'password.mail.email': { max: 5, windowSeconds: 60 * 60 },
  'password.mail.network': { max: 30, windowSeconds: 60 * 60 },
  /** Logins at unknown places of which one user is informed, by mail and bell. */
  'login.notice': { max: 5, windowSeconds: 60 * 60 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
export type RouteLimit = keyof typeof routeLimits

/** Returns whether a route has a limit of its own. */
export function isRouteLimit(route: string): route is RouteLimit {
  return Object.hasOwn(routeLimits, route)
}

export type Limits = Readonly<Record<LimitName, Limit>>

/** Maximum sizes of a request's parts; docs/http-api.md, "Requests". Characters are code points. */
export const sizes = {
  /** A body that the route uses. */
  bodyBytes: 16 * 1024,
  /** A body that the route does not use. */
  unusedBodyBytes: 1024,
  /** The part of an `Accept-Language` or `Accept-Encoding` header that is read. */
  acceptCharacters: 256,
  /** The part at the end of `X-Forwarded-For`, or of `address_header`, that is read. */
  forwardedCharacters: 2048,
  emailCharacters: 254,
  passwordCharacters: 1024,
  codeCharacters: 64,
  /** The token of a link in a mail. It holds the id of the user. */
  tokenCharacters: 1024,
  /** The maximum answers of the host's second factor. */
  secretCharacters: 512,
  qrCodeCharacters: 64 * 1024,
  recoveryCodes: 100,
  recoveryCodeCharacters: 128,
  twoFactorDevices: MAX_TWO_FACTOR_DEVICES,
  deviceIdCharacters: 64,
  deviceNameCharacters: 60,
  /** The listed sessions of a user, and the trusted devices. A further one ends another. */
  sessionsOfUser: 100,
  /** The maximum parts of a host's notification. */
  notificationUrlCharacters: 2048,
} as const

/** The minutes of a day, and its milliseconds. */
export const DAY_MINUTES = 24 * 60
export const DAY_MS = DAY_MINUTES * 60_000

/** Lifetimes and intervals; docs/http-api.md, "Sessions". */
export const times = {
  sessionIdleMinutes: 120,
  sessionAbsoluteMinutes: DAY_MINUTES,
  /** The minimum interval between writes of a session's last-seen time. */
  sessionTouchSeconds: 60,
  /** The time that a network or browser stays known to an account after a completed login. */
  knownPlaceSeconds: 90 * 24 * 60 * 60,
  /** The time that recovery codes without a confirmation of having been seen are remembered. */
  codesUnseenSeconds: 90 * 24 * 60 * 60,
  /** The time that a secret waits for confirmation, from the first request for it. */
  pendingSecretMinutes: 10,
  verificationMinutes: VERIFICATION_MINUTES,
  resetMinutes: RESET_MINUTES,
  /** Lifetime of the link with which a user disowns a login. */
  disownMinutes: 7 * DAY_MINUTES,
  /** The time for which a user is known to have logged in before. */
  firstLoginSeconds: 10 * 365 * 24 * 60 * 60,
  /** Lifetime of the link of an invitation. */
  invitationMinutes: 3 * DAY_MINUTES,
  /** The heartbeat of a bell stream, at which its gates are checked again. */
  streamCommentSeconds: 25,
  /** The deadline of a store, the mailer or a method of the host. Missing it is an outage. */
  deadlineSeconds: 5,
  /**
   * A networked database that does not answer a store's call within this time has failed. Two calls
   * fit the deadline.
   */
  storeSeconds: 1.5,
  /** The interval at which a bus between nodes verifies its subscription. */
  busHeartbeatSeconds: 10,
  /** The delays before a bus reconnects: from the first, doubling up to the last. */
  busRetrySeconds: [0.1, 5],
  /** The time that such a bus keeps a message for other nodes. */
  busKeepSeconds: 60,
  /** The Retry-After of an outage. */
  outageRetrySeconds: 5,
  /**
   * A record created further in the future than this is refused, because the clock was set back
   * since.
   */
  clockSkewSeconds: 5 * 60,
  /** The interval at which the offset to the stores' clock is measured again. */
  clockSyncSeconds: 30,
  /**
   * A wall clock that moves by more than this against the monotonic clock has jumped, or the
   * machine has slept.
   */
  clockJumpSeconds: 1,
  /**
   * The time that Redis keeps expired records, by its own clock, for `deleteExpired` and for
   * differences between clocks.
   */
  redisKeepSeconds: 24 * 60 * 60,
} as const

/**
 * Password hashing: the defaults of new hashes and of the queue, and the maximum parameters of new
 * and stored hashes. Larger ones would block the hashing process for seconds or exhaust its memory.
 *
 * @see RFC 9106
 */
export const hashing = {
  memoryKiB: 19_456,
  passes: 2,
  lanes: 1,
  /** The number of waiting hashes. */
  queue: 256,
  /** The minimum memory for each lane. */
  minMemoryKiB: 8,
  maxMemoryKiB: 1024 * 1024,
  maxPasses: 20,
  /** The maximum of the memory times the passes, which takes about a second. */
  maxWorkKiB: 1024 * 1024,
  maxLanes: 64,
  maxConcurrency: 256,
  maxQueue: 100_000,
} as const

/** The times at which a record was created and expires. */
export interface Lifetime {
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * Returns whether a record is valid now. Every expiring record uses this rule, so that setting a
 * clock back extends none.
 */
export function isAlive({ createdAt, expiresAt }: Lifetime, now: number): boolean {
  return createdAt <= now + times.clockSkewSeconds * 1000 && now < expiresAt
}

/** The minimum length of an application key. */
export const keyCharacters = 32

/** Limits of bell streams on each node; `config.streams` changes the first two. */
export const streams = {
  perSession: 8,
  perUser: 32,
  /** A further stream is refused. */
  perNode: 20_000,
  /** The number of new streams that are checked at once, and of open ones; the others wait. */
  checksAtOnce: 4,
  /** The number of new streams of a session that wait. A further one is refused. */
  waitingPerSession: 100,
  /** A stream that has waited this long for its check is refused. */
  waitSeconds: 30,
  /** The bounds of the random time after which another client's `EventSource` reconnects. */
  retrySeconds: [1, 10],
  /** The same for an `EventSource` that reconnects although it was replaced. */
  replacedRetrySeconds: 5 * 60,
} as const

/** The defaults of `config.retention`. Notifications are kept for ever unless days are set. */
export const retention = {
  notificationCount: 1000,
  activityDays: 90,
} as const

/** The maximum number of notifications that one further notification removes from a bell. */
export const REMOVED_PER_NOTIFICATION = 50
