import type { Clock, Tenant } from '../../contracts/host.ts'
import { isAlive, times } from '../../rules/limits.ts'
import type { Part, Signer } from '../crypto.ts'
import { canonicalEmail } from '../email/email-address.ts'

/** The purpose of a link, which decides how long it works. */
export type LinkPurpose = 'reset' | 'invite'

/** The lifetimes of the links, in minutes. */
export const LINK_MINUTES: Readonly<Record<LinkPurpose, number>> = {
  reset: times.resetMinutes,
  invite: times.invitationMinutes,
}

/** The state of the user that a token is made for. The token dies with any change of it. */
interface TokenUser {
  readonly id: string
  readonly email: string
  readonly hash: string | null
}

/** A token that this service made for the tenant, and that has not expired. */
export interface PresentedToken {
  readonly purpose: LinkPurpose
  readonly userId: string
  readonly expires: string
  readonly expiresAt: number
  /** The MAC over the email and the password hash at the time of issue. */
  readonly state: string
}

/**
 * Makes and verifies the tokens of links to a new password. Nothing is stored: a token is a MAC
 * over its purpose, the tenant, the user and the expiry, and over the user's current email and
 * password hash. The first part is verified without the user, so that a forged token costs no
 * query and asks the host about no id.
 */
export interface PasswordTokens {
  issue(purpose: LinkPurpose, tenant: Tenant, user: TokenUser): string
  /** Reads a token; `null` when it is malformed, forged, expired or another tenant's. */
  read(token: string, tenant: Tenant): PresentedToken | null
  /** Returns whether neither the email nor the password hash has changed since the issue. */
  fits(token: PresentedToken, user: TokenUser): boolean
}

const TOKEN = /^(reset|invite)\.([\w-]+)\.(\d{1,15})\.([\w-]{43})\.([\w-]{43})$/

/** Creates the tokens. @see RFC 5869 (HKDF); RFC 2104 (HMAC) */
export function createPasswordTokens(
  signers: Readonly<Record<LinkPurpose, Signer>>,
  clock: Clock,
): PasswordTokens {
  return {
    issue(purpose, tenant, user) {
      const signer = signers[purpose]
      const expires = String(Math.floor(clock.now() / 1000) + LINK_MINUTES[purpose] * 60)
      const state = signer.sign(...stateParts(user))
      const signature = signer.sign(...tokenParts({ userId: user.id, expires, state }, tenant))
      const id = Buffer.from(user.id).toString('base64url')
      return [purpose, id, expires, state, signature].join('.')
    },
    read(token, tenant) {
      const [, name, id = '', expires = '', state = '', signature = ''] = TOKEN.exec(token) ?? []
      if (name === undefined) return null
      // The pattern names only these two.
      const purpose = name as LinkPurpose
      const userId = Buffer.from(id, 'base64url').toString('utf8')
      const parts = tokenParts({ userId, expires, state }, tenant)
      if (!signers[purpose].verify(signature, ...parts)) return null
      const expiresAt = Number(expires) * 1000
      const createdAt = expiresAt - LINK_MINUTES[purpose] * 60_000
      if (!isAlive({ createdAt, expiresAt }, clock.now())) return null
      return { purpose, userId, expires, expiresAt, state }
    },
    fits: ({ purpose, state }, user) => signers[purpose].verify(state, ...stateParts(user)),
  }
}

function tokenParts(
  { userId, expires, state }: Pick<PresentedToken, 'userId' | 'expires' | 'state'>,
  tenant: Tenant,
): readonly Part[] {
  return ['token', userId, tenant, expires, state]
}

function stateParts({ id, email, hash }: TokenUser): readonly Part[] {
  return ['state', id, canonicalEmail(email), hash]
}
