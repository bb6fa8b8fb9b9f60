import { createHash } from 'node:crypto'
import type { Clock, Mailer, MustVerifyEmail, Tenant } from '../../contracts.ts'
import { isAlive } from '../../rules/limits.ts'
import { API_PATH } from '../../rules/routes.ts'
import type { Attempts } from '../attempts.ts'
import type { Signer } from '../crypto.ts'
import type { CheckedUsers } from '../checked-users.ts'
import { withTimeout } from '../timeouts.ts'
import { canonicalEmail } from './email-address.ts'
import type { Events } from '../events.ts'

export interface VerificationParts<User> {
  readonly users: CheckedUsers<User>
  /** `null`: none is bound. */
  readonly mailer: Mailer | null
  readonly signer: Signer
  readonly attempts: Attempts
  readonly clock: Clock
  readonly events: Events
  readonly baseUrl: (tenant: Tenant) => string
  /** Where links may lead back to; the first where none is named. */
  readonly panels: readonly string[]
  readonly lifetimeMinutes: number
}

/** A mail that is still without words. */
export type Compose = (
  link: string,
  lifetimeMinutes: number,
) => {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What a link says, as it came. */
export interface Link {
  readonly id: string
  readonly hash: string
  readonly query: string
}

export type LinkOutcome =
  | { readonly outcome: 'verified' | 'expired'; readonly panel: string }
  | { readonly outcome: 'invalid' }

/** Proves who reads an address: sends links and opens them. */
export interface Verification<User> {
  /** @throws {Error} There is no mailer, it fails or does not answer, or the address cannot be mailed. */
  send(to: Recipient<User>, compose: Compose): Promise<void>
  /** @param effect `look`: says where it leads and changes nothing, as for HEAD. */
  open(link: Link, tenant: Tenant, effect: 'verify' | 'look'): Promise<LinkOutcome>
}

export interface Recipient<User> {
  readonly user: User
  readonly tenant: Tenant
  readonly panel: string
}

export function bindVerification<User>(parts: VerificationParts<User>): Verification<User> {
  return {
    send: async (to, compose) => sendLink(parts, to, compose),
    open: async (link, tenant, effect) => openLink(parts, link, tenant, effect),
  }
}

/** A user that is subject to verification: it has the methods, all or some. */
export function mustVerifyEmail<User>(user: User): user is User & MustVerifyEmail {
  if (typeof user !== 'object' || user === null) return false
  // A half-written contract must not open the gate.
  return 'hasVerifiedEmail' in user || 'markEmailAsVerified' in user
}

/**
 * One local part and one domain without white space, control characters and the `specials` of RFC 5322, section 3.2.3.
 * Mail libraries parse what they are given: a special character would end the address, quote it, or add another.
 */
const MAILABLE = /^[^\p{C}\p{Z}()<>[\]:;@\\,"]+@[^\p{C}\p{Z}()<>[\]:;@\\,"]+$/u

/** @see docs/http-api.md, "Email verification" */
async function sendLink<User>(
  parts: VerificationParts<User>,
  { user, tenant, panel }: Recipient<User>,
  compose: Compose,
): Promise<void> {
  const { users, mailer, clock, events, lifetimeMinutes } = parts
  const { id, email } = users.identify(user)
  if (mailer === null)
    throw new Error('a user must verify an email and no mailer is bound: give `mailer`')
  if (!MAILABLE.test(email))
    throw new Error('an email address has characters that cannot be mailed')
  const expires = Math.floor(clock.now() / 1000) + lifetimeMinutes * 60
  const link = linkFor(parts, { id, email, tenant, panel, expires })
  await withTimeout('the mailer', mailer.send({ to: email, ...compose(link, lifetimeMinutes) }))
  events.emit('verification.sent', { userId: id, tenant })
}

interface Signed {
  readonly id: string
  readonly email: string
  readonly tenant: Tenant
  readonly panel: string
  readonly expires: number
}

function linkFor<User>(
  { signer, baseUrl }: VerificationParts<User>,
  { id, email, tenant, panel, expires }: Signed,
): string {
  const hash = addressHash(email)
  const signature = signer.sign(id, hash, tenant, panel, String(expires))
  const path = `${API_PATH}/email/verify/${segmentOf(id)}/${hash}`
  return `${baseUrl(tenant)}${path}?expires=${expires}&signature=${signature}`
}

const QUERY = /^expires=(\d{1,15})&signature=([\w-]{43})$/

/**
 * Opens a link: the signature first, then the time, then the user. Needs no session, opens none and touches none.
 *
 * @see docs/specification.md, "Email verification"
 */
async function openLink<User>(
  parts: VerificationParts<User>,
  link: Link,
  tenant: Tenant,
  effect: 'verify' | 'look',
): Promise<LinkOutcome> {
  const { users, clock } = parts
  const [, expires, signature] = QUERY.exec(link.query) ?? []
  const id = idOf(link.id)
  if (expires === undefined || signature === undefined || id === null) return { outcome: 'invalid' }
  const panel = parts.panels.find((name) =>
    parts.signer.verify(signature, id, link.hash, tenant, name, expires),
  )
  if (panel === undefined) return { outcome: 'invalid' }
  const expiresAt = Number(expires) * 1000
  const createdAt = expiresAt - parts.lifetimeMinutes * 60_000
  if (!isAlive({ createdAt, expiresAt }, clock.now())) return { outcome: 'expired', panel }
  const user = await withTimeout('findById', users.findById(id, tenant))
  if (user === null || !mustVerifyEmail(user)) return { outcome: 'invalid' }
  // A link dies when the address changes.
  if (addressHash(users.identify(user).email) !== link.hash) return { outcome: 'invalid' }
  if (effect === 'verify' && user.hasVerifiedEmail() !== true)
    await markVerified(parts, user, id, tenant, signature)
  return { outcome: 'verified', panel }
}

async function markVerified<User>(
  { attempts, events, lifetimeMinutes }: VerificationParts<User>,
  user: MustVerifyEmail,
  id: string,
  tenant: Tenant,
  signature: string,
): Promise<void> {
  await withTimeout('markEmailAsVerified', user.markEmailAsVerified())
  // Of many openings at the same moment one is told.
  const once = { max: 1, windowSeconds: lifetimeMinutes * 60 }
  const first = await attempts.reserve(once, 'email.verified', id, tenant, signature)
  if (first.granted) events.emit('verified', { userId: id, tenant })
}

function addressHash(email: string): string {
  return createHash('sha256').update(canonicalEmail(email)).digest('hex')
}

/** An id as one segment of a path; most are one already. */
function segmentOf(id: string): string {
  return /^[\w.-]+$/.test(id) ? id : `~${Buffer.from(id).toString('base64url')}`
}

function idOf(segment: string): string | null {
  if (!segment.startsWith('~')) return segment
  const id = Buffer.from(segment.slice(1), 'base64url').toString('utf8')
  return segmentOf(id) === segment ? id : null
}
