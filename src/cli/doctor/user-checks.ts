import type { OptionValues } from 'commander'
import { canonicalEmail } from '../../contracts/email-address.ts'
import type { Tenant } from '../../contracts/host.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import { reasonOfError } from '../../contracts/errors.ts'
import { failed, ok, warning, warningsAbout, type Check } from '../output/check.ts'
import { quoted } from '../output/quoted.ts'
import { fixedUrl } from './configuration-checks.ts'
import { findUser, NoUserError, tenantOption } from '../command/find-user.ts'
import {
  identified,
  isUnread,
  leftOutOf,
  listOf,
  NOT_BY_ID,
  type UnreadUser,
} from '../command/listed-users.ts'
import type { OpenService } from '../command/open-service.ts'
import { stringOption, UsageError } from '../command/outcome.ts'

/** An email that no user can have. @see RFC 2606, section 2 */
const NOBODY = 'svc-doctor@users.invalid'

const NO_TENANT = 'are of tenants, and none of them was read; name a tenant with --tenant'
const LEFT_OUT =
  'A user who is blocked, deleted or left out by a `where` counts as none, and without `ignoreEmailCase` one whose email has upper case.'
/** A few are enough: in a table that keeps emails as they were typed, many have upper case. */
const EMAILS_LOOKED_UP = 20

/** An index answers sooner, also from a database that is far away. */
const SLOW_MS = 200
/** The quickest counts: another process may have the processor or the disk meanwhile. */
const MEASUREMENTS = 3

/** The users of the host as they were read, and one of them. */
interface Read {
  readonly check: Check
  /** `null` if the host has no user, or none is known. */
  readonly user: User | null
  /** The rows of the list that could not be read. Default: none. */
  readonly unread?: readonly UnreadUser[]
  /** A listed user whom no login finds, because of the form of the email. Default: unknown. */
  readonly lockedOut?: User | null
  /** The duration of a look-up by email in milliseconds. Default: not measured. */
  readonly lookUpMs?: number
  /** `true` if they could not be read. Default: false. */
  readonly isUnavailable?: boolean
}

/** Reads the host's users as a login does, and asks the binding of the second factor about one. */
export async function checkUsers(
  service: OpenService,
  options: OptionValues,
): Promise<readonly Check[]> {
  const read = await readUsers(service, options)
  const { check, user, unread = [], lockedOut = null, isUnavailable = false, lookUpMs = 0 } = read
  // A database that does not answer would keep the command waiting.
  const warnings = isUnavailable ? [] : await warningsOf(service)
  const [first] = unread
  const rows = first === undefined ? [] : [warning('users', textOf(first, unread.length))]
  const form = lockedOut === null ? [] : [warning('users', formText(lockedOut))]
  const slow = lookUpMs > SLOW_MS ? [warning('users', slowText(lookUpMs))] : []
  const found = [check, ...rows, ...form, ...slow, ...warnings]
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

function slowText(ms: number): string {
  return `to look up an email takes ${Math.round(ms)} ms, and each login does it; create an index on the column of the email, or on lower(email) where \`ignoreEmailCase\` is set`
}

async function warningsOf({ parts }: OpenService): Promise<readonly Check[]> {
  const { users, twoFactor = {} } = parts.options
  return [
    ...(await warningsAbout('users', users)),
    ...(await warningsAbout('second factor', twoFactor)),
  ]
}

async function readUsers(service: OpenService, options: OptionValues): Promise<Read> {
  const { users } = service.parts
  const tenant = tenantOption(options)
  if (tenant === null && fixedUrl(service) === null)
    return { check: warning('users', NO_TENANT), user: null }
  try {
    await users.findByEmail(NOBODY, tenant)
    const { user, unread, lockedOut } = await userOf(service, options)
    const lookUpMs = await measureLookUp(service, tenant)
    const measured = { user, unread, lockedOut, lookUpMs }
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
      return { check: failed('users', `${error.message} ${LEFT_OUT}`), user: null }
    const text = `cannot be read: ${reasonOfError(error)}; correct the table, its columns, its index on the email or its database in the user provider`
    return { check: failed('users', text), user: null, isUnavailable: true }
  }
}

/** Checks a list without users. Each wrong column of a block or a deletion leaves all rows out. */
async function checkNobody(service: OpenService): Promise<Check> {
  const reasons = Object.entries(await leftOutOf(service)).map(
    ([reason, count]) => `${count} ${reason}`,
  )
  if (reasons.length === 0) return ok('users', 'can be read')
  const text = `no row is a user: ${reasons.join(', ')}; correct the columns of the user provider that say who may log in`
  return warning('users', text)
}

async function measureLookUp({ parts: { users } }: OpenService, tenant: Tenant): Promise<number> {
  let least = Infinity
  for (let count = 0; count < MEASUREMENTS; count += 1) {
    const start = performance.now()
    await users.findByEmail(NOBODY, tenant)
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/** Returns the user that the options name, or the first one; `null` where the host lists none. */
async function userOf(service: OpenService, options: OptionValues) {
  if (stringOption(options, 'email') !== null)
    return { user: (await findUser(service, options)).user, unread: [], lockedOut: null }
  const all = ((await listOf(service)?.()) ?? []).map((row) => identified(service, row))
  const unread = all.filter(isUnread)
  const users = all.filter((one): one is User => !isUnread(one))
  const [user = null] = users
  const [first] = unread
  if (user === null && first !== undefined) throw new Error(first.reason)
  return { user, unread, lockedOut: await lockedOutOf(service, users, tenantOption(options)) }
}

/** Returns a user who cannot log in, because a login looks the email up in its canonical form. */
async function lockedOutOf(
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
