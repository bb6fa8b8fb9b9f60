/** So many within a fixed window that starts at the first and does not slide. */
export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}

/**
 * Every count of the service. Each is a default that the host's `limits` can change.
 *
 * @see docs/specification.md, "Limits"; docs/http-api.md, "Limits"
 */
export const limits = {
  /** Failed logins of one email and network; the lockout lasts as long as the window. */
  'login.failed': { max: 5, windowSeconds: 60 },
  /** Failed logins in a row of one account from all unknown places; past it only known places are heard. */
  'login.failed.account': { max: 100, windowSeconds: 24 * 60 * 60 },
  /** Failed logins in a row of one account from a known place: a network or browser that it logged in from. */
  'login.failed.place': { max: 100, windowSeconds: 24 * 60 * 60 },

  /** Codes of one pending login; it lives as long as the window, from the password on. */
  'two-factor.pending': { max: 5, windowSeconds: 5 * 60 },

  /** Incorrect codes of one user over all its pending logins: from one network, and from everywhere. */
  'two-factor.network': { max: 20, windowSeconds: 60 * 60 },
  'two-factor.user': { max: 100, windowSeconds: 24 * 60 * 60 },

  /** Requests of a route: by network for guests, by user for everybody else. */
  login: { max: 10, windowSeconds: 60 },
  'login.two-factor': { max: 10, windowSeconds: 60 },
  'two-factor.setup': { max: 10, windowSeconds: 60 },
  'two-factor.confirm': { max: 10, windowSeconds: 60 },
  'two-factor.disable': { max: 10, windowSeconds: 60 },
  'svc.email.send': { max: 3, windowSeconds: 60 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
export type RouteLimit = Exclude<
  LimitName,
  | 'login.failed'
  | 'login.failed.account'
  | 'login.failed.place'
  | 'two-factor.pending'
  | 'two-factor.network'
  | 'two-factor.user'
>
export type Limits = Readonly<Record<LimitName, Limit>>

/** Sizes of what a request may carry; docs/http-api.md, "Requests". Characters are code points. */
export const sizes = {
  bodyBytes: 16 * 1024,
  /** What is read of an `Accept-Language`. */
  acceptLanguageCharacters: 256,
  emailCharacters: 254,
  passwordCharacters: 1024,
  codeCharacters: 64,
  /** What the second factor of the host may answer. */
  secretCharacters: 512,
  qrCodeCharacters: 64 * 1024,
  recoveryCodes: 100,
  recoveryCodeCharacters: 128,
  /** What a notification of the host may carry. */
  notificationUrlCharacters: 2048,
} as const

/** Lifetimes and intervals; docs/http-api.md, "Sessions". */
export const times = {
  sessionIdleMinutes: 120,
  sessionAbsoluteMinutes: 24 * 60,
  /** The last-seen time of a session is written at most this often. */
  sessionTouchSeconds: 60,
  /** How long a network or a browser stays known to an account after a login was completed there. */
  knownPlaceSeconds: 90 * 24 * 60 * 60,
  /** How long it is remembered that a user has not confirmed seeing the recovery codes. */
  codesUnseenSeconds: 90 * 24 * 60 * 60,
  /** How long a secret waits to be confirmed, from the first request for it. */
  pendingSecretMinutes: 10,
  /** Lifetime of the verification link. */
  verificationMinutes: 60,
  /** A stream of the bell says that it lives, and its gates are judged again. */
  streamCommentSeconds: 25,
  /** A store, the mailer or a host's contract that does not answer within this is an outage. */
  deadlineSeconds: 5,
  /** A login that would probably wait longer for its hash is refused before it is counted. */
  hashQueueSeconds: 2.5,
  /** A hash that has not been started within this, less what it will take, is not computed, and its login not counted. */
  hashWaitSeconds: 4,
  /** The hashing process is replaced when its first answer, with its start, takes longer than this. */
  hashStartSeconds: 10,
  /** It is replaced when any other answer takes longer; less than the deadline, so that the next in line are served. */
  hashReplySeconds: 4,
  /** A hashing process that has died twice without an answer is started again after the first, then twice as long, up to the last. */
  hashRestartSeconds: [0.1, 5],
  /** A health check gives the hashing process this long to answer. */
  hashPingSeconds: 1.5,
  /** A turn that nobody ended lapses after this: longer than all calls that are made in one, each at its deadline. */
  turnSeconds: 60,
  /** Another node that waits for a turn asks for it this often. */
  turnRetrySeconds: 0.05,
  /** A database on the network that does not answer a call of a store within this has failed; two calls fit the deadline. */
  storeSeconds: 1.5,
  /** A bus between nodes makes sure this often that it still hears. */
  busHeartbeatSeconds: 10,
  /** A bus that was interrupted tries again after the first of these, then after twice as long, up to the last. */
  busRetrySeconds: [0.1, 5],
  /** A health check that takes longer has failed. */
  healthSeconds: 1.9,
  /** That last-seen times cannot be written is logged at most this often. */
  touchFailureLogSeconds: 60,
  /** What an outage tells the client to wait. */
  outageRetrySeconds: 5,
  /** A record that was made further in the future than this is refused: the clock was set back since. */
  clockSkewSeconds: 5 * 60,
  /** The offset between a node and the clock of its stores is measured again after this. */
  clockSyncSeconds: 30,
  /** A wall clock that moves by more than this against the monotonic one has jumped, or the machine has slept. */
  clockJumpSeconds: 1,
  /** Redis keeps what is over for so long, by its own clock: for `deleteExpired`, and whatever clocks disagree about. */
  redisKeepSeconds: 24 * 60 * 60,
} as const

/** When a record was made, and when it ends. */
export interface Lifetime {
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * Returns whether a record counts now. Every record that expires is judged by this rule, so that none lives longer
 * because a clock was set back.
 */
export function isAlive({ createdAt, expiresAt }: Lifetime, now: number): boolean {
  return createdAt <= now + times.clockSkewSeconds * 1000 && now < expiresAt
}

/** Streams of the bell, on each node; `config.streams` changes the first two. */
export const streams = {
  perSession: 8,
  perUser: 32,
  /** How many of them are judged, or read for the first time, at once; the others wait their turn. */
  checksAtOnce: 4,
  /** One that has waited for its turn for so long is refused. */
  waitSeconds: 30,
  /** Bounds of the random time after which a foreign `EventSource` reconnects. */
  retrySeconds: [1, 10],
  /** The same for one that was replaced and did not heed it. */
  replacedRetrySeconds: 5 * 60,
} as const

/** How many notifications the bell shows; docs/specification.md, "Limits". */
export const LISTED_NOTIFICATIONS = 20
