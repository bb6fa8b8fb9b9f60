import { createHash } from 'node:crypto'
import type { EventClient } from '../../contracts/panel-events.ts'
import type { Clock, Mailer, Tenant } from '../../contracts/host.ts'
import type { Checked } from '../boundary/checked.ts'
import { isAlive } from '../../rules/limits.ts'
import { nextEmailState } from '../../rules/states.ts'
import { API_PATH } from '../../rules/paths.ts'
import type { Attempts } from '../attempts/attempts.ts'
import type { Signer } from '../crypto.ts'
import type { User, Users } from '../boundary/checked-users.ts'
import { canonicalEmail } from '../../contracts/email-address.ts'
import { emailStateOf } from './email-state.ts'
import { verifiable } from '../boundary/verifiable-user.ts'
import type { Events } from '../events.ts'

export interface VerificationParts {
  readonly users: Users
  /** `null` when no mailer is bound. */
  readonly mailer: Checked<Mailer> | null
  readonly signer: Signer
  readonly attempts: Attempts
  readonly clock: Clock
  readonly events: Events
  readonly baseUrl: (tenant: Tenant) => string
  /** The panels that a link may lead to; the first is the default. */
  readonly panels: readonly string[]
  readonly lifetimeMinutes: number
}

/** A mail without its recipient. */
export type Mail = Omit<Parameters<Mailer['send']>[0], 'to'>

/** Writes the mail for a link. */
export type Compose = (link: string, lifetimeMinutes: number) => Mail

/** The parts of a verification link, as received. */
interface Link {
  readonly tenant: Tenant
  /** The client that opens it. */
  readonly client: EventClient
  readonly id: string
  readonly hash: string
  readonly query: string
}

type LinkOutcome =
  | { readonly outcome: 'verified' | 'expired'; readonly panel: string }
  | { readonly outcome: 'invalid' }

/** The user whom a link is for, and the panel that it leads to. */
export interface Recipient {
  readonly user: User
  readonly tenant: Tenant
  readonly panel: string
}

/**
 * Sends a verification link to the user's current address.
 *
 * @throws {Error} No mailer is bound, the mailer fails or times out, or the address cannot be
 *   mailed.
 * @see docs/http-api.md, "Email verification"
 */
export async function sendLink(
  parts: VerificationParts,
  { user, tenant, panel }: Recipient,
  compose: Compose,
): Promise<void> {
  const { mailer, clock, events, lifetimeMinutes } = parts
  const { id, email } = user
  if (mailer === null)
    throw new Error('a user must verify an email and no mailer is bound: give `mailer`')
  const expires = Math.floor(clock.now() / 1000) + lifetimeMinutes * 60
  const link = linkFor(parts, { id, email, tenant, panel, expires })
  await mailer.send({ to: email, ...compose(link, lifetimeMinutes) })
  events.emit('verification.sent', { userId: id, tenant }, null)
}

interface Signed {
  readonly id: string
  readonly email: string
  readonly tenant: Tenant
  readonly panel: string
  readonly expires: number
}

function linkFor(
  { signer, baseUrl }: VerificationParts,
  { id, email, tenant, panel, expires }: Signed,
): string {
  const hash = addressHash(email)
  const signature = signer.sign(id, hash, tenant, panel, String(expires))
  const path = `${API_PATH}/email/verify/${segmentOf(id)}/${hash}`
  return `${baseUrl(tenant)}${path}?expires=${expires}&signature=${signature}`
}

const QUERY = /^expires=(\d{1,15})&signature=([\w-]{43})$/

/**
 * Opens a link: checks the signature first, then the expiry, then the user. Neither needs, opens
 * nor touches a session.
 *
 * The link does not name its panel in clear text, so the panel is found by verifying the signature
 * against each configured panel. A client therefore cannot redirect a link to another panel, and a
 * panel that was removed from the configuration invalidates its links.
 *
 * @param effect `look` resolves the link and changes nothing, as for HEAD.
 * @see docs/specification.md, "Email verification"
 */
export async function openLink(
  parts: VerificationParts,
  link: Link,
  effect: 'verify' | 'look',
): Promise<LinkOutcome> {
  const { users, clock } = parts
  const { tenant } = link
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
  const user = await users.findById(id, tenant)
  if (user === null || verifiable(user) === null) return { outcome: 'invalid' }
  // A link becomes invalid when the address changes.
  if (addressHash(user.email) !== link.hash) return { outcome: 'invalid' }
  if (effect === 'verify' && becomesVerified(user)) await markVerified(parts, user, link, signature)
  return { outcome: 'verified', panel }
}

function becomesVerified(user: User): boolean {
  const state = emailStateOf(user)
  return nextEmailState(state).state !== state.state
}

async function markVerified(
  { attempts, events, lifetimeMinutes }: VerificationParts,
  user: User,
  { tenant, client }: Link,
  signature: string,
): Promise<void> {
  const { id } = user
  await verifiable(user)?.markEmailAsVerified()
  // Concurrent openings emit one event.
  const once = { max: 1, windowSeconds: lifetimeMinutes * 60 }
  const first = await attempts.count(once, 'email.verified', id, tenant, signature)
  if (first.granted) events.emit('verified', { userId: id, tenant }, client)
}

function addressHash(email: string): string {
  return createHash('sha256').update(canonicalEmail(email)).digest('hex')
}

/** Encodes an id as one path segment. Most need no encoding; clients remove `.` and `..`. */
function segmentOf(id: string): string {
  return /^(?!\.\.?$)[\w.-]+$/.test(id) ? id : `~${Buffer.from(id).toString('base64url')}`
}

function idOf(segment: string): string | null {
  if (!segment.startsWith('~')) return segment
  const id = Buffer.from(segment.slice(1), 'base64url').toString('utf8')
  return segmentOf(id) === segment ? id : null
}
