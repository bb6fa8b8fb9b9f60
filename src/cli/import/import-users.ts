import type { User } from '../../core/boundary/checked-users.ts'
import { canonicalEmail } from '../../contracts/email-address.ts'
import { emailStateOf } from '../../core/email/email-state.ts'
import { factorFaultOf } from '../command/factor-fault.ts'
import { hashFaultOf } from '../command/hash-fault.ts'
import type { OpenService } from '../command/open-service.ts'
import {
  identified,
  isUnread,
  listAll,
  NOT_BY_ID,
  orUnreadable,
  visitUsers,
  type UnreadUser,
} from '../command/listed-users.ts'
import { printError } from '../output/output.ts'
import { slowLookUp } from '../command/look-up.ts'
import { quoted } from '../output/quoted.ts'

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

/** Checks whether each user can log in; `null` when the host cannot list its users. */
export async function checkImportedUsers(service: OpenService): Promise<UserReport | null> {
  const { users } = service.config
  if (users?.list === undefined) return null
  // Before the list, as it reads all rows, too: a large table would be in memory twice.
  const leftOut = await orUnreadable(async () => users.leftOut?.())
  const all = await listAll(service)
  await warnOfSlowLookUps(service, all)
  const visited = await visitUsers(service, all, async (user) => checkUser(service, user))
  const checked = visited.map((one) => (isUnread(one) ? unchecked(one) : one))
  return {
    total: all.length,
    canLogIn: checked.filter(({ canLogIn }) => canLogIn).length,
    withTwoFactor: checked.filter(({ hasTwoFactor }) => hasTwoFactor).length,
    ...(leftOut !== undefined && { leftOut }),
    findings: checked.flatMap(({ findings }) => findings),
  }
}

/** Warns before each user is looked up, which takes hours in a large table without an index. */
async function warnOfSlowLookUps(service: OpenService, all: readonly unknown[]): Promise<void> {
  const one = all
    .map((row) => identified(service, row))
    .find((user): user is User => !isUnread(user))
  const text = one === undefined ? null : await slowLookUp(service, one.tenant ?? null, one.id)
  if (text !== null) printError(`users: ${text}; this command looks ${all.length} users up`)
}

function unchecked({ reason, ...user }: UnreadUser): CheckedUser {
  const findings = findingsOf(user, [`cannot be checked: ${reason}`])
  return { canLogIn: false, hasTwoFactor: false, findings }
}

async function checkUser(service: OpenService, user: User): Promise<CheckedUser> {
  const { factor, users, options } = service.parts
  const hasTwoFactor = factor !== null && (await factor.isEnabledFor(user))
  const factorFault = hasTwoFactor ? await factorFaultOf(service, user) : null
  const isUnverified = emailStateOf(user).state === 'unverified'
  const faults = [
    hashFault(service, user),
    await emailFault(service, user),
    await idFault(service, user),
    (await users.mayAccess(user)) ? null : 'is refused by canAccessPanel',
    isUnverified && options.mailer === undefined ? CANNOT_VERIFY : null,
    factorFault === null ? null : `the second factor ${factorFault}`,
  ].filter((fault) => fault !== null)
  const mustVerify = isUnverified && options.mailer !== undefined ? [MUST_VERIFY] : []
  const findings = findingsOf(user, [...faults, ...mustVerify])
  return { canLogIn: faults.length === 0, hasTwoFactor, findings }
}

function findingsOf(
  { id, email }: Pick<User, 'id' | 'email'>,
  findings: readonly string[],
): readonly UserFinding[] {
  return findings.map((finding) => ({ id, email, finding }))
}

const MUST_VERIFY = 'must verify the email before entering the panel'
const CANNOT_VERIFY = 'must verify the email, and no mailer is bound that sends the link'

const IN_LOWER_CASE =
  ' A login looks it up in lower case: give `ignoreEmailCase: true` to the user provider if it has none, or store it so'

const HASH_FAULTS = {
  none: 'has no password',
  unreadable:
    'the password is in no form of `passwords.formats`, or costs too much to verify: name its format, or let the user set a new one',
}

function hashFault(service: OpenService, user: User): string | null {
  const fault = hashFaultOf(service, user)
  return fault === null ? null : HASH_FAULTS[fault]
}

async function emailFault({ parts: { users } }: OpenService, { id, email, tenant = null }: User) {
  // As a login looks it up: this also finds two users with one email, and unexpected upper case.
  const canonical = canonicalEmail(email)
  const found = await users.findByEmail(canonical, tenant)
  if (found?.id === id) return null
  if (canonical !== email.toLowerCase())
    return `is not found by the email, which a login looks up as ${quoted(canonical)}: store it in this form`
  const remedy = email === canonical ? '' : IN_LOWER_CASE
  return `is not found by the email: is it unique, whatever its case, and without spaces?${remedy}`
}

async function idFault({ parts: { users } }: OpenService, { id, tenant = null }: User) {
  // Every request with a session looks the user up by the id.
  return (await users.findById(id, tenant)) === null ? NOT_BY_ID : null
}
