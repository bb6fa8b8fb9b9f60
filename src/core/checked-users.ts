import type { Awaitable, JsonObject, Tenant, UserProvider } from '../contracts/host.ts'
import { canonicalEmail } from './email/email-address.ts'
import { mapAwaitable } from './timeouts.ts'

/** A method of the host returned a value of the wrong type. Answered as an outage. */
class ContractError extends TypeError {
  override readonly name = 'ContractError'
}

/** A `UserProvider` whose answers have been checked. */
export interface CheckedUsers<User> {
  findById(id: string, tenant: Tenant): Awaitable<User | null>
  findByEmail(email: string, tenant: Tenant): Awaitable<User | null>
  identify(user: User): ReturnType<UserProvider<User>['identify']>
  passwordHash(user: User): string | null
  /** Returns `true` for a match; any other value refuses. */
  verifyPassword?(user: User, password: string): Awaitable<unknown>
  rehash?(user: User, from: string, to: string): Awaitable<boolean>
  present?(user: User): JsonObject
  /** Returns `true` to admit the user; any other value refuses. */
  canAccessPanel?(user: User): Awaitable<unknown>
}

/**
 * Checks the type of every answer of the host's user provider. `undefined` counts as `null`,
 * because many libraries return it for a missing row. Any other unexpected value is an error that
 * names the method and the remedy.
 */
export function createCheckedUsers<User>(users: UserProvider<User>): CheckedUsers<User> {
  return {
    findById: (id, tenant) =>
      mapAwaitable(users.findById(id, tenant), (answer) => {
        const user = userFrom('findById', answer)
        return user !== null && isById(identityFrom(users.identify(user)), id, tenant) ? user : null
      }),
    findByEmail: (email, tenant) =>
      mapAwaitable(users.findByEmail(email, tenant), (answer) => {
        const user = userFrom('findByEmail', answer)
        return user !== null && isByEmail(users, user, email, tenant) ? user : null
      }),
    identify: (user) => identityFrom(users.identify(user)),
    passwordHash: (user) => hashFrom(users.passwordHash(user)),
    ...(users.verifyPassword !== undefined && {
      verifyPassword: (user: User, password: string) => users.verifyPassword?.(user, password),
    }),
    ...(users.rehash !== undefined && {
      rehash: (user: User, from: string, to: string) =>
        mapAwaitable(users.rehash?.(user, from, to), replacedFrom),
    }),
    ...(users.present !== undefined && {
      present: (user: User) => presentedFrom(users.present?.(user)),
    }),
    ...(users.canAccessPanel !== undefined && {
      canAccessPanel: (user: User) => users.canAccessPanel?.(user),
    }),
  }
}

/** The values that libraries without `null` return for "not found". */
const NOBODY: ReadonlySet<unknown> = new Set([null, undefined, false, 0, ''])

function userFrom<User>(method: string, answer: User | null): User | null {
  const given: unknown = answer
  if (NOBODY.has(given)) return null
  if (typeof given === 'object' && !Array.isArray(given)) return answer
  throw wrong(`UserProvider.${method}`, 'one user or null', given, 'return the first row, or null')
}

type Identity = ReturnType<UserProvider<unknown>['identify']>

/**
 * Returns whether a user is the one with an id. A database that ignores case, accents or what
 * follows a number finds the user for other ids and tenants, too.
 */
function isById(found: Identity, id: string, tenant: Tenant): boolean {
  return found.id === id && isIn(found, tenant)
}

function isIn(found: Identity, tenant: Tenant): boolean {
  return found.tenant === undefined || found.tenant === tenant
}

/**
 * Returns whether a user is the one with a canonical email. A user whom the host cannot identify
 * stays: the login reports that after the password, so that the answer reveals no account.
 */
function isByEmail<User>(
  users: Pick<UserProvider<User>, 'identify'>,
  user: User,
  email: string,
  tenant: Tenant,
): boolean {
  let found: Identity
  try {
    found = identityFrom(users.identify(user))
  } catch {
    return true
  }
  return canonicalEmail(found.email) === email && isIn(found, tenant)
}

const NUL = '\0'

function identityFrom(answer: unknown): Identity {
  const method = 'UserProvider.identify'
  if (typeof answer !== 'object' || answer === null || 'then' in answer)
    throw wrong(method, 'an object with id, email and name', answer, 'return it at once, not async')
  // The fields are read and not copied, because an ORM may define them as getters of its class.
  const { id, email, name = null, tenant } = answer as Readonly<Record<string, unknown>>
  if (typeof id !== 'string') throw wrong(method, 'id as a string', id, 'use String(user.id)')
  if (id === '' || !id.isWellFormed() || id.includes(NUL))
    throw new ContractError(
      `${method} must return id as a non-empty string of Unicode without U+0000`,
    )
  if (typeof email !== 'string' || !email.includes('@'))
    throw wrong(method, 'email as an address with an @', email, 'users without one cannot log in')
  if (name !== null && typeof name !== 'string')
    throw wrong(method, 'name as a string or null', name, 'use user.name ?? null')
  if (tenant === undefined) return { id, email, name }
  if (tenant !== null && typeof tenant !== 'string')
    throw wrong(method, 'tenant as a string or null', tenant, 'use String(user.tenant)')
  return { id, email, name, tenant }
}

function hashFrom(answer: unknown): string | null {
  if (answer === null || answer === undefined) return null
  if (typeof answer === 'string') return answer
  throw wrong(
    'UserProvider.passwordHash',
    'a string or null',
    answer,
    'return the stored text at once, not async',
  )
}

function replacedFrom(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer
  throw wrong(
    'UserProvider.rehash',
    'true or false',
    answer,
    'return whether a row was updated, such as count === 1',
  )
}

function presentedFrom(answer: JsonObject | undefined): JsonObject {
  const given: unknown = answer
  const method = 'UserProvider.present'
  if (answer === undefined || typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong(method, 'an object', given, 'return the fields that the panel may show')
  if ('then' in given) throw wrong(method, 'an object', given, 'return it at once, not async')
  try {
    JSON.stringify(answer)
  } catch (cause) {
    throw new ContractError(`${method} must return what JSON can hold: no BigInt, no cycle`, {
      cause,
    })
  }
  return answer
}

function wrong(method: string, promised: string, got: unknown, remedy: string): ContractError {
  return new ContractError(`${method} must return ${promised}; got ${kindOf(got)}: ${remedy}`)
}

/** Names the type of an answer, never its value, which may be a secret. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && 'then' in value) return 'a promise'
  return typeof value
}
