/** The state that the model keeps, and the answers that it predicts. */

export interface Limit {
  readonly max: number
  readonly windowSeconds: number
}
export type LimitName =
  | 'login.failed'
  | 'two-factor.pending'
  | 'two-factor.network'
  | 'two-factor.user'
  | 'two-factor.place'
  | 'login'
  | 'login.two-factor'
  | 'two-factor.setup'
  | 'two-factor.confirm'
  | 'two-factor.disable'
  | 'svc.email.send'
export type ModelLimits = Readonly<Record<LimitName, Limit>>

export interface Entry {
  readonly title: string
  readonly createdAt: number
  readAt: number | null
}

/** A person of the users table. */
export interface Person {
  readonly name: string
  email: string
  /** The index of the password. */
  password: number
  active: boolean
  readonly mustVerify: boolean
  verifiedAt: number | null
  enabled: boolean
  required: boolean
  /** Until when the recovery codes count as not seen; `null`: they were seen, or there are none. */
  codesUnseenUntil: number | null
  /** The recovery codes that are left. */
  recovery: string[]
  readonly bell: Entry[]
}

export interface Session {
  readonly person: Person
  readonly password: number
  readonly createdAt: number
  lastSeenAt: number
  expiresAt: number
  secret: { readonly since: number; readonly text: string } | null
  /** Opened without a code while nobody had confirmed seeing the recovery codes: ends once a code is needed. */
  readonly isProvisional: boolean
  ended: boolean
}

export interface Pending {
  readonly person: Person
  readonly password: number
  readonly expiresAt: number
  ended: boolean
}

/** The state that the cookies of a browser name. They may be another browser's, too. */
export type Held =
  | { readonly kind: 'guest' }
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'pending'; readonly pending: Pending }

export interface ModelBrowser {
  readonly network: string
  held: Held
  /** The device cookie: whose login was completed with it last. */
  device: { readonly person: Person; readonly number: number; readonly knownUntil: number } | null
}

export interface Link {
  readonly person: Person
  readonly email: string
  readonly expiresAt: number
}

/** Status and body of an answer, without its words. */
export interface Predicted {
  readonly status: number
  readonly body?: Readonly<Record<string, unknown>>
}

export type Access = 'session' | 'security' | 'panel'

/** The verdict on a request: its user, or the reason of the refusal. */
export type Judged =
  | {
      readonly session: Session
      readonly person: Person
      readonly refused: null
      readonly remaining: number
      readonly retryAfter: number
    }
  | { readonly refused: Predicted }

export interface ModelSetup {
  readonly now: number
  readonly people: readonly Person[]
  readonly networks: readonly string[]
  readonly limits: ModelLimits
  readonly isBound: boolean
}
