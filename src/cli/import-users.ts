import { canonicalEmail } from '../core/email/email-address.ts'
import { emailStateOf } from '../core/email/email-state.ts'
import { readStoredHash } from '../core/passwords/password-hashes.ts'
import type { ImportSource } from '../import-source.ts'
import type { OpenService } from './open-service.ts'

/** A fact about one user that the host should know. */
export type UserFinding = Readonly<Record<'id' | 'email' | 'finding', string>>

/** The users of another system, as the service sees them. */
export type UserReport = {
  readonly total: number
  readonly canLogIn: number
  readonly withTwoFactor: number
  readonly findings: readonly UserFinding[]
}

interface CheckedUser {
  readonly canLogIn: boolean
  readonly hasTwoFactor: boolean
  readonly findings: readonly string[]
}

/** Checks whether each user can log in; `null` when the host cannot list its users. */
export async function checkImportedUsers(
  service: OpenService,
  source: ImportSource<unknown>,
): Promise<UserReport | null> {
  const all = await service.config.users?.list?.()
  if (all === undefined) return null
  const counts = { total: all.length, canLogIn: 0, withTwoFactor: 0 }
  const findings: UserFinding[] = []
  for (const user of all) {
    const { id, email } = service.parts.users.identify(user)
    const checked = await checkUser(service, source, user)
    if (checked.canLogIn) counts.canLogIn += 1
    if (checked.hasTwoFactor) counts.withTwoFactor += 1
    findings.push(...checked.findings.map((finding) => ({ id, email, finding })))
  }
  return { ...counts, findings }
}

async function checkUser(
  service: OpenService,
  source: ImportSource<unknown>,
  user: unknown,
): Promise<CheckedUser> {
  const { factor } = service.parts
  const hasTwoFactor = factor !== null && (await factor.isEnabledFor(user))
  const faults = [
    hashFault(service, user),
    await emailFault(service, user),
    (await source.checkTwoFactor?.(user)) ?? null,
  ].filter((fault) => fault !== null)
  const isUnverified = emailStateOf(user).state === 'unverified'
  const findings = isUnverified ? [...faults, MUST_VERIFY] : faults
  return { canLogIn: faults.length === 0, hasTwoFactor, findings }
}

const MUST_VERIFY = 'must verify the email before entering the panel'

function hashFault({ parts: { settings, users } }: OpenService, user: unknown): string | null {
  const hash = users.passwordHash(user)
  if (hash === null) return 'has no password'
  const { passwords } = settings
  if (readStoredHash(hash, passwords, passwords.formats) !== null) return null
  return users.verifyPassword === undefined
    ? 'the password is in no form of `passwords.formats`'
    : null
}

async function emailFault({ parts: { users } }: OpenService, user: unknown) {
  const { id, email } = users.identify(user)
  // As a login looks it up: this also finds two users with one email, and unexpected upper case.
  const found = await users.findByEmail(canonicalEmail(email), null)
  if (found !== null && users.identify(found).id === id) return null
  return 'is not found by the email: is it unique, and does its case matter?'
}
