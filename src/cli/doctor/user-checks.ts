import type { OptionValues } from 'commander'
import { canonicalEmail } from '../../contracts/email-address.ts'
import type { Tenant } from '../../contracts/host.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import { reasonOfError } from '../../contracts/errors.ts'
import { failed, ok, warning, warningsAbout, type Check } from '../output/check.ts'
import { quoted } from '../output/quoted.ts'
import { attempted } from '../../core/passwords/password-hashes.ts'
import { fixedUrl } from './configuration-checks.ts'
import { emailOption, findUser, NoUserError, tenantOption } from '../command/find-user.ts'
import { factorFaultOf } from '../command/factor-fault.ts'
import { hashFaultOf } from '../command/hash-fault.ts'
import {
  identified,
  isUnread,
  leftOutOf,
  listOf,
  NOT_BY_ID,
  UnreadableError,
  type UnreadUser,
} from '../command/listed-users.ts'
import { NOBODY, slowLookUp } from '../command/look-up.ts'
import type { OpenService } from '../command/open-service.ts'
import { stringOption, UsageError } from '../command/result.ts'

const NO_TENANT = 'are of tenants, and none of them was read; name a tenant with --tenant'
const LEFT_OUT =
  'A user who is blocked, deleted or left out by a `where` counts as none, and without `ignoreEmailCase` one whose email has upper case.'
/** The rows that are read: a list of millions would take minutes. */
const ROWS_READ = 1000
/** A few are enough: in a table that keeps emails as they were typed, many have upper case. */
const EMAILS_LOOKED_UP = 20

/** The users of the host as they were read, and one of them. */
interface UsersAsRead {
  readonly check: Check
  /** `null` if the host has no user, or none is known. */
  readonly user: User | null
  /** The rows of the list that could not be read. Default: none. */
  readonly unread?: readonly UnreadUser[]
  /** The warnings about listed users who cannot log in by their email or hash. Default: none. */
  readonly lockedOut?: readonly string[]
  /** The warning about an email that takes long to look up; `null`: none. Default: unknown. */
  readonly slow?: string | null
  /** `true` if they could not be read. Default: false. */
  readonly isUnavailable?: boolean
}

/** Reads the host's users as a login does, and asks the binding of the second factor about one. */
export async function userChecks(
  service: OpenService,
  options: OptionValues,
): Promise<readonly Check[]> {
  const read = await readUsers(service, options)
  const { check, user, unread = [], lockedOut = [], isUnavailable = false, slow = null } = read
  // A database that does not answer would keep the command waiting.
  const warnings = isUnavailable ? [] : await warningsOf(service)
  const [first] = unread
  const rows = first === undefined ? [] : [warning('users', textOf(first, unread.length))]
  const form = lockedOut.map((text) => warning('users', text))
  const time = slow === null ? [] : [warning('users', slow)]
  const found = [check, ...rows, ...form, ...time, ...warnings]
  return [...found, ...(await checkFactor(service, user, check))]
}

function textOf({ id, reason }: UnreadUser, count: number): string {
  return `${count} of the listed users cannot be read and cannot log in, such as the id ${id}: ${reason}`
}

function formText({ id, email }: User): string {
  const canonical = canonicalEmail(email)
  if (canonical === email.toLowerCase())
    return `the user ${id} cannot log in, because ${email} is stored with upper case; give \`ignoreEmailCase: true\` to the user provider, or store emails in lower case`
  return `the user ${id} cannot log in, because the email is stored as ${quoted(email)}, and a login looks ${quoted(canonical)} up; store it in this form`
}

function sameEmailText(users: readonly User[]): string {
  const ids = users
    .map(({ id }) => id)
    .toSorted()
    .slice(0, 3)
  return `users such as ${ids.join(' and ')} have the same email, so at most one of them can log in: change the emails of the others`
}

async function warningsOf({ parts }: OpenService): Promise<readonly Check[]> {
  const { users, passwords } = parts.options
  // Without the layer of passwords, and with a `set` of the host, nothing calls `setPasswordHash`.
  const isCalled = passwords !== undefined && passwords.set === undefined
  return warningsAbout('users', isCalled ? users : { ...users, setPasswordHash: undefined })
}

async function readUsers(service: OpenService, options: OptionValues): Promise<UsersAsRead> {
  const { users } = service.parts
  const tenant = tenantOption(options)
  if (tenant === null && fixedUrl(service) === null)
    return { check: warning('users', NO_TENANT), user: null }
  try {
    await users.findByEmail(NOBODY, tenant)
    const found = await userOf(service, options)
    const { user } = found
    const measured = { ...found, slow: await slowLookUp(service, tenant, user?.id ?? null) }
    if (user === null) return { check: await checkNobody(service), ...measured }
    users.passwordHash(user)
    const isNamed = stringOption(options, 'email') !== null
    const check =
      isNamed && !(await users.mayAccess(user))
        ? failed('users', `canAccessPanel refuses the user ${user.id}`)
        : await checkId(service, user, tenant)
    return { check, ...measured }
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof NoUserError)
      return { check: await checkMissing(service, options, error), user: null }
    const { message } = error instanceof UnreadableError ? error : new UnreadableError(error)
    return { check: failed('users', message), user: null, isUnavailable: true }
  }
}

/** Returns why no login finds the named email: a listed user may have it in another form. */
async function checkMissing(
  service: OpenService,
  options: OptionValues,
  { message }: NoUserError,
): Promise<Check> {
  const [email, tenant] = [emailOption(options), tenantOption(options)]
  const { users } = await listedUsers(service).catch(() => ({ users: [] }))
  const found = users.filter(
    (one) => canonicalEmail(one.email) === email && (one.tenant ?? null) === tenant,
  )
  const [user] = found
  if (found.length > 1) return failed('users', sameEmailText(found))
  const isInOtherForm = user !== undefined && user.email !== email
  return failed('users', isInOtherForm ? formText(user) : `${message} ${LEFT_OUT}`)
}

/** Checks a list without users. Each wrong value of `where` or column of a block excludes all. */
async function checkNobody(service: OpenService): Promise<Check> {
  const reasons = Object.entries(await leftOutOf(service, ROWS_READ))
  if (reasons.length === 0) return ok('users', 'can be read')
  const counts = reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')
  const isAll = reasons.reduce((sum, [, count]) => sum + count, 0) < ROWS_READ
  const rows = isAll ? 'no row is a user' : `none of ${ROWS_READ} rows is a user`
  const remedy = isAll ? '' : ', or name a user with --email'
  const text = `${rows}: ${counts}; correct the columns of the user provider that say who may log in, and \`where\`${remedy}`
  return warning('users', text)
}

/** Returns the user that the options name, or the first one; `null` where the host lists none. */
async function userOf(service: OpenService, options: OptionValues) {
  if (stringOption(options, 'email') !== null) {
    const { user } = await findUser(service, options)
    return { user, unread: [], lockedOut: hashWarnings(service, [user]) }
  }
  const { users, unread } = await listedUsers(service)
  const [user = null] = users
  const [first] = unread
  if (user === null && first !== undefined) throw new Error(first.reason)
  const byEmail = await lockedOutOf(service, users, tenantOption(options))
  return { user, unread, lockedOut: [...byEmail, ...hashWarnings(service, users)] }
}

async function listedUsers(service: OpenService) {
  const all = ((await listOf(service)?.(ROWS_READ)) ?? []).map((row) => identified(service, row))
  return {
    unread: all.filter(isUnread),
    users: all.filter((one): one is User => !isUnread(one)),
  }
}

/** Returns the warnings about users who cannot log in because of their email. */
async function lockedOutOf(
  service: OpenService,
  listed: readonly User[],
  tenant: Tenant,
): Promise<readonly string[]> {
  const byEmail = new Map<string, User[]>()
  for (const user of listed) {
    const key = JSON.stringify([user.tenant ?? null, canonicalEmail(user.email)])
    byEmail.set(key, [...(byEmail.get(key) ?? []), user])
  }
  const groups = [...byEmail.values()]
  const same = groups.find((users) => users.length > 1)
  const single = groups.filter((users) => users.length === 1).flat()
  const user = await otherFormIn(service, single, tenant)
  return [...(same ? [sameEmailText(same)] : []), ...(user ? [formText(user)] : [])]
}

/** Returns the warning about users whose hashes cannot be verified. */
function hashWarnings(service: OpenService, users: readonly User[]): readonly string[] {
  const found = users.filter((user) => attempted(() => hashFaultOf(service, user)) === 'unreadable')
  const [first] = found
  if (first === undefined) return []
  return [
    `the password hashes of ${found.length} of the listed users, such as the id ${first.id}, are in no form of \`passwords.formats\`, or cost too much to verify: name the format of the system that stored them, or let these users set a new password`,
  ]
}

/** Returns a user who cannot log in, because a login looks the email up in its canonical form. */
async function otherFormIn(
  { parts: { users } }: OpenService,
  listed: readonly User[],
  tenant: Tenant,
): Promise<User | null> {
  let lookedUp = 0
  for (const user of listed) {
    const canonical = canonicalEmail(user.email)
    if (user.email === canonical) continue
    const isFound = (await users.findByEmail(canonical, tenant)) !== null
    if (!isFound && (await users.findById(user.id, tenant)) !== null) return user
    lookedUp += 1
    if (lookedUp === EMAILS_LOOKED_UP) break
  }
  return null
}

/** Looks a user up as every request with a session does, if a login finds the user. */
async function checkId({ parts: { users } }: OpenService, user: User, tenant: Tenant) {
  const { id, email } = user
  const isFound = (await users.findByEmail(canonicalEmail(email), tenant))?.id === id
  if (isFound && (await users.findById(id, tenant)) === null)
    return failed('users', `the user ${id} ${NOT_BY_ID}`)
  return ok('users', `can be read, such as the id ${id}`)
}

async function checkFactor(
  service: OpenService,
  user: User | null,
  read: Check,
): Promise<readonly Check[]> {
  const { factor } = service.parts
  if (factor === null || read.status === 'failed') return []
  if (user === null) return [notAsked(service)]
  try {
    const { state } = await factor.stateOf(user)
    const fault = state === 'enabled' ? await factorFaultOf(service, user) : null
    if (fault !== null) return [warning('second factor', `that of the user ${user.id} ${fault}`)]
    return [ok('second factor', `answers; that of this user is ${state.replace('-', ' ')}`)]
  } catch (error) {
    const text = `cannot be read: ${reasonOfError(error)}; correct its table, the columns or the binding \`twoFactor\``
    return [failed('second factor', text)]
  }
}

function notAsked(service: OpenService): Check {
  return listOf(service) === null
    ? warning('second factor', 'was asked about nobody; name a user with --email')
    : ok('second factor', 'is asked when there is a user')
}
