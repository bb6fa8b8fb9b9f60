import { canonicalEmail } from '../../contracts/email-address.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { SignedPart } from '../crypto.ts'
import { CODES_UNSEEN } from '../second-factor/provisional-sessions.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import type { Person, PersonParts } from './person.ts'

/** The numbers of records that were erased. */
export interface Erased {
  readonly sessions: number
  readonly notifications: number
  readonly activity: number
}

/**
 * Erases everything that the service keeps about a person, and nothing of the host. Each step can
 * run again, so a call that a crash has ended is repeated as it was.
 *
 * The sessions end first, on every node: a page that is still open must not write anything about
 * the person afterwards. No event is emitted, as its listeners would write.
 *
 * @throws {ConfigError} A store or the second factor of the host cannot erase; nothing was changed.
 * @throws {StoreError} Repeat it.
 */
export async function erasePerson(parts: PersonParts, person: Person): Promise<Erased> {
  const { pendingLogins, sessions, attempts, ceiling, changeNotifier } = parts
  const { owner, user } = person
  // Requests are counted by this form, which the host may store in another spelling.
  const email = user && canonicalEmail(user.email)
  ensureErasable(parts, person)
  const logins = await pendingLogins.endAllOf(owner)
  const ended = logins + (await sessions.eraseAllOf(owner))
  await eraseFactor(parts, person)
  const notifications = (await parts.notifications.deleteOf?.(owner)) ?? 0
  const activity = (await parts.activity?.deleteOf(owner)) ?? 0
  for (const count of countsOf(owner, email)) await attempts.forget(...count)
  await ceiling.forget({ userId: owner.userId }, owner.tenant)
  if (email !== null) await ceiling.forget({ userId: null, email }, owner.tenant)
  await changeNotifier.bellChanged(owner)
  return { sessions: ended, notifications, activity }
}

/** Refuses what a part of the host cannot do, before anything is changed. */
function ensureErasable({ factor, notifications }: PersonParts, { user }: Person): void {
  if (notifications.deleteOf === undefined)
    throw new ConfigError('stores.notifications: has no `deleteOf`, which erasing a person needs')
  if (factor !== null && factor.erase === null && user === null)
    throw new ConfigError(
      'twoFactor: has no `erase`, which erasing a person needs whom the host has removed',
    )
}

async function eraseFactor({ factor }: PersonParts, { owner, user }: Person): Promise<void> {
  // Both: the host may keep it by another id, which only the user tells, or keep more than it.
  if (user !== null) await factor?.disable(user)
  await factor?.erase?.(owner.userId, owner.tenant)
}

/**
 * Returns the counts whose keys are made of the person alone. Those of places and links cannot be
 * enumerated: their keys are MACs, which lead to nobody, and they expire.
 */
function countsOf(owner: Owner, email: string | null): readonly (readonly SignedPart[])[] {
  const key = ownerKey(owner)
  return [
    [CODES_UNSEEN, key],
    ['login.first', key],
    ['login.disowned', key],
    ['login.notice', key],
    ['password.incorrect', key],
    ['password.incorrect.day', key],
    ...(email === null ? [] : [['password.mail.email', email, owner.tenant]]),
  ]
}
