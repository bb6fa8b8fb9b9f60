import type { Owner } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { User } from '../boundary/checked-users.ts'
import type { Mail } from '../email/email-verification.ts'
import { withTimeout } from '../timeouts.ts'
import { inTurn } from '../attempts/turns.ts'
import type { AccountParts } from './account-parts.ts'
import { refusalOfPassword, type PasswordRefusal } from './password-policy.ts'

/** A user as it was read, with the hash that a change of the password must still find. */
export interface UserWithHash {
  readonly user: User
  readonly owner: Owner
  readonly hash: string | null
}

/** Returns the reason why the service or the host refuses a new password; `null`: neither does. */
export async function refusalFor(
  { factor, accountPasswords, serviceNames }: AccountParts,
  { user, owner }: UserWithHash,
  password: string,
): Promise<PasswordRefusal | null> {
  const { email, name } = user
  const hasFactor = factor !== null && (await factor.isEnabledFor(user))
  const context = { email, name, hasFactor, serviceNames: serviceNames(owner.tenant) }
  const refusal = await refusalOfPassword(password, context)
  if (refusal !== null || accountPasswords.allows === undefined) return refusal
  return (await accountPasswords.allows(user.host, password)) ? null : { reason: 'refused' }
}

/**
 * Runs a change of a user's password. Changes of one user run one at a time, across all nodes, so
 * that of two changes that were both allowed by the old password one is refused, also where the
 * host cannot compare and set.
 *
 * @param change Receives the user as currently stored.
 * @returns `null`, having changed nothing, when the user may no longer log in, or has another
 *   password hash than was read.
 */
export async function changeInTurn<Result>(
  parts: AccountParts,
  { owner, hash }: Pick<UserWithHash, 'owner' | 'hash'>,
  change: (user: User) => Promise<Result | null>,
): Promise<Result | null> {
  const { turns, users } = parts
  return inTurn(turns, ['password.change', ownerKey(owner)], async () => {
    const user = await users.findById(owner.userId, owner.tenant)
    if (user === null || users.passwordHash(user) !== hash) return null
    return (await users.mayAccess(user)) ? change(user) : null
  })
}

/**
 * Stores the hash of a new password.
 *
 * @returns false when the host has replaced the hash meanwhile.
 * @throws {Error} The host stored nothing.
 */
export async function storeHash(
  { users, accountPasswords }: AccountParts,
  { user, owner, hash: from }: UserWithHash,
  to: string,
): Promise<boolean> {
  const { set } = accountPasswords
  const isStored =
    set === undefined
      ? (await users.setPasswordHash?.(user, from, to)) === true
      : (await set(user.host, to)) !== false
  const stored = await users.findById(owner.userId, owner.tenant)
  const hash = stored === null ? null : users.passwordHash(stored)
  // A change that changes nothing would leave the old password and the link in force.
  if (isStored && hash !== to) throw new Error(NOT_STORED)
  // Nobody else has changed it, so the provider compares another text.
  if (!isStored && set === undefined && stored !== null && hash === from)
    throw new Error(NOT_COMPARED)
  return isStored
}

const NOT_STORED = 'a new password was not stored: `passwords.set` must store the hash as it is'
const NOT_COMPARED =
  'a new password was not stored, because `setPasswordHash` of the user provider returned false for the hash that `passwordHash` returns: compare the stored one with what `passwordHash` was made of'

/**
 * Ends the pending logins and sessions of a user with a new password. They carry a stamp of the old
 * hash, so none is accepted any more; ending them frees the stores and closes open streams at once.
 * A failure is therefore logged, and the change stays a success.
 */
export async function endLogins(
  { pendingLogins, logger }: AccountParts,
  owner: Owner,
  endSessions: () => Promise<unknown>,
): Promise<void> {
  try {
    await pendingLogins.endAllOf(owner)
    await endSessions()
  } catch (error) {
    logger.error(
      { err: error, event: 'password.sessions_left', userId: owner.userId },
      'the sessions of a user with a new password were not removed; each is refused at its next request',
    )
  }
}

/** Hashes a new password; `null` when no slot is free. */
export async function hashNew(
  slot: ReturnType<AccountParts['passwords']['tryAcquire']>,
  password: string,
): Promise<string | null> {
  return slot === null ? null : withTimeout('the hashing process', slot.hash(password))
}

/** Writes the mail about a changed password, with a link to the page that undoes harm. */
export type ComposeNotice = (link: string) => Mail

/** Informs the user by mail that the password was changed, after the answer. */
export function mailNotice(
  { mails: { add, send, pageUrl, firstPanel } }: AccountParts,
  { user, owner }: UserWithHash,
  compose: ComposeNotice,
): void {
  const mail = compose(pageUrl(owner.tenant, firstPanel, 'forgot-password'))
  add(async () => send({ to: user.email, ...mail }), { userId: owner.userId })
}
