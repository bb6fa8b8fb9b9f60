import type { Tenant } from '../../contracts/host.ts'
import type { OutcomeNamed } from '../login/counted-attempts.ts'
import { loginOrigin } from '../login/login-origin.ts'
import type { LoginSource } from '../login/account-ceiling.ts'
import { DeadlineError } from '../timeouts.ts'
import type { AccountParts, LinkPurpose } from './account-parts.ts'
import type { PresentedToken } from './link-tokens.ts'
import {
  changeInTurn,
  endLogins,
  hashNew,
  mailNotice,
  refusalFor,
  storeHash,
  type ComposeNotice,
  type UserWithHash,
} from './password-replacement.ts'
import type { PasswordRefusal } from './password-policy.ts'

/** A request to choose a password with the token of a link. */
export interface ResetRequest extends LoginSource {
  readonly token: string
  readonly password: string
}

export type ResetOutcome =
  | OutcomeNamed<'reset' | 'link-invalid' | 'overloaded'>
  | { readonly outcome: 'refused'; readonly refusal: PasswordRefusal }

const LINK_INVALID = { outcome: 'link-invalid' } as const

/**
 * Replaces the password of the user that the token was made for, and ends every session and pending
 * login. A refused password does not use up the token.
 */
export async function resetPassword(
  parts: AccountParts,
  request: ResetRequest,
  compose: ComposeNotice,
): Promise<ResetOutcome> {
  const { tenant, password, network } = request
  const token = parts.tokens.read(request.token, tenant)
  const reading = token === null ? null : await readUser(parts, token, tenant)
  if (token === null || reading === null) return LINK_INVALID
  const refusal = await refusalFor(parts, reading, password)
  if (refusal !== null) return { outcome: 'refused', refusal }
  const slot = parts.passwords.tryAcquire(loginOrigin(parts.devices, request))
  try {
    const hash = await hashNew(slot, password)
    if (hash === null) return { outcome: 'overloaded' }
    const isReset = await replaceOnce(parts, token, reading, hash)
    if (isReset !== true) return LINK_INVALID
  } finally {
    slot?.release()
  }
  const { userId } = reading.owner
  await endLogins(parts, reading.owner, async () => parts.sessions.endAllOf(reading.owner, request))
  parts.events.emit('password.reset', { userId, tenant, network }, request)
  mailNotice(parts, reading, compose)
  return { outcome: 'reset' }
}

/** Reads the user of a token; `null` when the token has died or the user may not log in. */
async function readUser(
  { users, tokens }: AccountParts,
  token: PresentedToken<LinkPurpose>,
  tenant: Tenant,
): Promise<UserWithHash | null> {
  const user = await users.findById(token.userId, tenant)
  if (user === null || !tokens.fits(token, user)) return null
  const [hash, owner] = [users.passwordHash(user), { tenant, userId: user.id }]
  return (await users.mayAccess(user)) ? { user, hash, owner } : null
}

/**
 * Stores the new hash, once for each token. The token is used up before the call, and only by a
 * request that has proved to have it. After an error it can be used again, so that an outage does
 * not cost the link. After a timeout it cannot: the call may still succeed, and would then replace
 * what a second use has stored.
 */
async function replaceOnce(
  parts: AccountParts,
  token: PresentedToken<LinkPurpose>,
  { owner, hash: from }: UserWithHash,
  to: string,
): Promise<boolean | null> {
  return changeInTurn(parts, { owner, hash: from }, async (user) => {
    if (!parts.tokens.fits(token, user)) return false
    const used = await parts.tokens.use(token)
    if (used === null) return false
    try {
      return await storeHash(parts, { user, owner, hash: from }, to)
    } catch (error) {
      if (!(error instanceof DeadlineError)) await used.release()
      throw error
    }
  })
}
