import type { User } from '../../core/boundary/checked-users.ts'
import { canonicalEmail } from '../../contracts/email-address.ts'
import { emailStateOf } from '../../core/email/email-state.ts'
import { readStoredHash } from '../../core/passwords/password-hashes.ts'
import type { ImportSource } from '../../contracts/import-source.ts'
import type { OpenService } from '../command/open-service.ts'
import { writeErrorLine } from '../../contracts/write-line.ts'
import { messageOf } from '../output/output.ts'

/** A fact about one user that the host should know. */
type UserFinding = Readonly<Record<'id' | 'email' | 'finding', string>>

/** The users of another system, as the service sees them. */
export type UserReport = {
  readonly total: number
  readonly canLogIn: number
  readonly withTwoFactor: number
  /** The rows that are not users, by the reason; not there where the host does not count them. */
  readonly leftOut?: Readonly<Record<string, number>>
  readonly findings: readonly UserFinding[]
}

interface CheckedUser {
  readonly canLogIn: boolean
  readonly hasTwoFactor: boolean
  readonly findings: readonly UserFinding[]
}

/** Users who are checked at once; more would wait for a connection of an ordinary pool. */
const AT_ONCE = 20
const PROGRESS_EVERY = 1000

/** Checks whether each user can log in; `null` when the host cannot list its users. */
export async function checkImportedUsers(
  service: OpenService,
  source: ImportSource<unknown>,
): Promise<UserReport | null> {
  const { users } = service.config
  const all = await users?.list?.()
  if (all === undefined) return null
  const leftOut = await users?.leftOut?.()
  const checked: CheckedUser[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    checked.push(...(await checkUsers(service, source, all.slice(at, at + AT_ONCE))))
    if (checked.length % PROGRESS_EVERY === 0)
      writeErrorLine(`${checked.length} of ${all.length} users`)
  }
  return {
    total: all.length,
    canLogIn: checked.filter(({ canLogIn }) => canLogIn).length,
    withTwoFactor: checked.filter(({ hasTwoFactor }) => hasTwoFactor).length,
    ...(leftOut !== undefined && { leftOut }),
    findings: checked.flatMap(({ findings }) => findings),
  }
}

/** Checks users at once. One who cannot be checked is a finding, and all of them an outage. */
async function checkUsers(
  service: OpenService,
  source: ImportSource<unknown>,
  users: readonly unknown[],
): Promise<readonly CheckedUser[]> {
  const settled = await Promise.allSettled(
    users.map(async (user) => checkUser(service, source, user)),
  )
  const [first] = settled
  if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected'))
    throw first.reason
  return settled.map((one, index) =>
    one.status === 'fulfilled'
      ? one.value
      : {
          canLogIn: false,
          hasTwoFactor: false,
          findings: findingsOf(service.parts.users.identify(users[index]), [
            `cannot be checked: ${messageOf(one.reason)}`,
          ]),
        },
  )
}

async function checkUser(
  service: OpenService,
  source: ImportSource<unknown>,
  host: unknown,
): Promise<CheckedUser> {
  const { factor, users, options } = service.parts
  const user = users.identify(host)
  const hasTwoFactor = factor !== null && (await factor.isEnabledFor(user))
  const isUnverified = emailStateOf(user).state === 'unverified'
  const faults = [
    hashFault(service, user),
    await emailFault(service, user),
    (await users.mayAccess(user)) ? null : 'is refused by canAccessPanel',
    isUnverified && options.mailer === undefined ? CANNOT_VERIFY : null,
    (await source.checkTwoFactor?.(host)) ?? null,
  ].filter((fault) => fault !== null)
  const mustVerify = isUnverified && options.mailer !== undefined ? [MUST_VERIFY] : []
  const findings = findingsOf(user, [...faults, ...mustVerify])
  return { canLogIn: faults.length === 0, hasTwoFactor, findings }
}

function findingsOf({ id, email }: User, findings: readonly string[]): readonly UserFinding[] {
  return findings.map((finding) => ({ id, email, finding }))
}

const MUST_VERIFY = 'must verify the email before entering the panel'
const CANNOT_VERIFY = 'must verify the email, and no mailer is bound that sends the link'

function hashFault({ parts: { settings, users } }: OpenService, user: User): string | null {
  const hash = users.passwordHash(user)
  if (hash === null || hash === '') return 'has no password'
  const { passwords } = settings
  if (readStoredHash(hash, passwords, passwords.formats) !== null) return null
  return users.verifyPassword === null
    ? 'the password is in no form of `passwords.formats`, or costs too much to verify'
    : null
}

async function emailFault({ parts: { users } }: OpenService, { id, email, tenant = null }: User) {
  // As a login looks it up: this also finds two users with one email, and unexpected upper case.
  const found = await users.findByEmail(canonicalEmail(email), tenant)
  if (found?.id === id) return null
  return 'is not found by the email: is it unique, and does its case matter?'
}
