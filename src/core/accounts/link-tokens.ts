import { setTimeout as pause } from 'node:timers/promises'
import type { Tenant } from '../../contracts/host.ts'
import { isAlive } from '../../rules/limits.ts'
import type { Attempt, Attempts } from '../attempts/attempts.ts'
import type { SignedPart, Signer } from '../crypto.ts'
import { canonicalEmail } from '../../contracts/email-address.ts'
import type { User, Users } from '../boundary/checked-users.ts'
import type { LoginParts } from '../login/login-parts.ts'
import type { LinkCutoff } from './link-cutoff.ts'

/** A kind of link. Its signer has a purpose of its own. */
export interface LinkKind {
  readonly signer: Signer
  readonly lifetimeMinutes: number
}

/** A token that this service made for the tenant, and that has not expired. */
export interface PresentedToken<Purpose extends string> {
  readonly purpose: Purpose
  readonly tenant: Tenant
  readonly userId: string
  readonly expires: string
  readonly expiresAt: number
  /** The MAC over the email and the password hash at the time of issue. */
  readonly state: string
}

/**
 * Makes and verifies the tokens of links in mails. Nothing is stored: a token is a MAC over its
 * purpose, the tenant, the user and the expiry, and over the user's current email and password
 * hash. The first part is verified without the user, so that a forged token costs no query and asks
 * the host about no id.
 */
export type LinkTokens<Purpose extends string> = ReturnType<typeof createLinkTokens<Purpose>>

/** The parts that every kind of link needs. */
export interface LinkParts extends Pick<LoginParts, 'clock' | 'attempts' | 'users'> {
  readonly linkCutoff: LinkCutoff
}

const TOKEN = /^([a-z]+)\.([\w-]+)\.(\d{1,15})\.([\w-]{43})\.([\w-]{43})$/

/** Creates the tokens of some kinds of links. @see RFC 5869 (HKDF); RFC 2104 (HMAC) */
export function createLinkTokens<Purpose extends string>(
  kinds: Readonly<Record<Purpose, LinkKind>>,
  { clock, attempts, linkCutoff, users }: LinkParts,
) {
  const isPurpose = (name: string): name is Purpose => Object.hasOwn(kinds, name)
  return {
    issue(purpose: Purpose, tenant: Tenant, user: User) {
      const { signer, lifetimeMinutes } = kinds[purpose]
      const expires = String(Math.floor(clock.now() / 1000) + lifetimeMinutes * 60)
      const state = signer.sign(...stateParts(users, user))
      const signature = signer.sign('token', user.id, tenant, expires, state)
      const id = Buffer.from(user.id).toString('base64url')
      return [purpose, id, expires, state, signature].join('.')
    },
    /** Reads a token; `null` when it is malformed, forged, expired or another tenant's. */
    read(token: string, tenant: Tenant): PresentedToken<Purpose> | null {
      const [, purpose = '', id = '', expires = '', state = '', signature = ''] =
        TOKEN.exec(token) ?? []
      if (!isPurpose(purpose)) return null
      const { signer, lifetimeMinutes } = kinds[purpose]
      const userId = Buffer.from(id, 'base64url').toString('utf8')
      if (!signer.verify(signature, 'token', userId, tenant, expires, state)) return null
      const expiresAt = Number(expires) * 1000
      const createdAt = expiresAt - lifetimeMinutes * 60_000
      if (!isAlive({ createdAt, expiresAt }, clock.now())) return null
      return { purpose, tenant, userId, expires, expiresAt, state }
    },
    /** Returns whether neither the email nor the password hash has changed since the issue. */
    fits: ({ purpose, state }: PresentedToken<Purpose>, user: User) =>
      kinds[purpose].signer.verify(state, ...stateParts(users, user)),
    /**
     * Uses a token up; `null` when it was used before, has expired, or was sent before the cutoff.
     * `release` undoes it, and never rejects.
     */
    async use({ purpose, tenant, userId, expires, expiresAt, state }: PresentedToken<Purpose>) {
      const leftMs = expiresAt - clock.now()
      if (leftMs <= 0) return null
      const sentAt = expiresAt - kinds[purpose].lifetimeMinutes * 60_000
      // Negated, so that a malformed cutoff lets no link through.
      if (!(sentAt >= (await linkCutoff.read()))) return null
      const parts = [purpose, tenant, userId, expires, state]
      const used = await countOnce(attempts, Math.ceil(leftMs / 1000), parts)
      return used && { release: async () => releaseUse(used) }
    },
  }
}

/** Counts a use of a token; `null` when it was used before. */
async function countOnce(
  attempts: Attempts,
  windowSeconds: number,
  parts: readonly SignedPart[],
): Promise<Attempt | null> {
  const used = await attempts.count({ max: 1, windowSeconds }, 'link.token', ...parts)
  if (used.granted) return used
  // The first use may still fail and release the token, which this one must not keep used then.
  await used.release()
  return null
}

/** The interval in milliseconds and the number of further tries to give a use back. */
const RELEASE = { everyMs: 1000, tries: 300 } as const

/**
 * Gives a use back, also later: the outage that made the use fail often fails this, too, and would
 * cost the link. A use that is given back twice lets nobody in, as a link that has changed a
 * password fits no more.
 */
async function releaseUse(used: Attempt): Promise<void> {
  if (!(await hasReleased(used))) void releaseLater(used)
}

async function releaseLater(used: Attempt): Promise<void> {
  for (let tries = 0; tries < RELEASE.tries; tries += 1) {
    // Must not keep the process running.
    await pause(RELEASE.everyMs, null, { ref: false })
    if (await hasReleased(used)) return
  }
}

async function hasReleased(used: Attempt): Promise<boolean> {
  return used.release().then(
    () => true,
    () => false,
  )
}

/**
 * Returns what a token depends on: it dies with any change.
 *
 * Remaining risk: an email that is changed back revives an unused token, as the service learns of
 * neither change. Mitigation: the lifetime, and whoever reads that mailbox may request a link.
 */
function stateParts(users: Users, user: User): readonly SignedPart[] {
  return ['state', user.id, canonicalEmail(user.email), users.passwordHash(user)]
}
