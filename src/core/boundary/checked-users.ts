import type { Awaitable, JsonObject, NewUser, Tenant, UserProvider } from '../../contracts/host.ts'
import { canonicalEmail } from '../../contracts/email-address.ts'
import { mapAwaitable } from '../timeouts.ts'
import type { Meter } from '../meter.ts'
import { onlyTrue } from './answers.ts'
import {
  atOnce,
  checked,
  inTime,
  optional,
  type Checked,
  type Contract,
  type Read,
} from './checked.ts'

/** The host's own object, which only the host's methods read. */
export interface HostUser {
  readonly host: unknown
}

/** A user of the host who has been identified. */
export interface User extends HostUser, Identity {}

/** The user found for the email of a login, with the host's answers about it. */
export interface Candidate extends HostUser {
  /** `null`: the host could not identify the user. */
  readonly user: User | null
  readonly hash: string | null
  /** The error of a method that failed for this user; `null`: none did. */
  readonly fault: unknown
}

/** The host's users. A user with another id, tenant or email than asked for is not found. */
export interface Users {
  findById(id: string, tenant: Tenant): Awaitable<User | null>
  findByEmail(email: string, tenant: Tenant): Awaitable<User | null>
  /**
   * Finds a user for a login, and keeps the errors of the host for later. Throwing them would
   * reveal that the account exists, because an unknown email gets a regular refusal.
   */
  findCandidate(email: string, tenant: Tenant): Awaitable<Candidate | null>
  /** Identifies a user that the host passes in. */
  identify(host: unknown): User
  /**
   * Returns whether a user may belong to a tenant. One whose tenant the host does not return may:
   * only the id tells then, and ids may be the same in several tenants.
   */
  isIn(user: User, tenant: Tenant): boolean
  passwordHash(user: HostUser): string | null
  /**
   * Returns the text that the sessions of a user depend on: the hash of the password. Without one
   * it is the email: ids are used again, and a session of a removed user must not be one of the
   * next user with the id.
   */
  credential(user: User): string
  /** Returns whether the user may use the panel. */
  mayAccess(user: HostUser): Awaitable<boolean>
  /** Returns the fields that the host shows of a user; `null`: the service chooses them. */
  present(user: HostUser): JsonObject | null
  /** `null`: the host verifies no passwords. */
  readonly verifyPassword: ((user: HostUser, password: string) => Awaitable<boolean>) | null
  /** `null`: the host replaces no hashes. */
  readonly rehash: ((user: HostUser, from: string, to: string) => Awaitable<boolean>) | null
  /** `null`: the host stores no new passwords here. */
  readonly setPasswordHash:
    | ((user: HostUser, from: string | null, to: string) => Awaitable<boolean>)
    | null
  /** `null`: the host creates no users. */
  readonly create: ((fields: NewUser, tenant: Tenant) => Awaitable<User>) | null
}

type Identity = ReturnType<UserProvider<unknown>['identify']>

/** The values that libraries without `null` return for "not found". */
const NOBODY: ReadonlySet<unknown> = new Set([null, undefined, false, 0, ''])

const oneUser: Read<unknown> = (answer, wrong) => {
  if (NOBODY.has(answer)) return null
  if (typeof answer === 'object' && !Array.isArray(answer)) return answer
  throw wrong('one user or null', answer, 'return the first row, or null')
}

const newUser: Read<unknown> = (answer, wrong) => {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer
  throw wrong('the new user', answer)
}

/** PostgreSQL stores no U+0000, and the service begins ids of its own with another. */
const CONTROL = /\p{Cc}/u

const identity: Read<Identity> = (answer, wrong) => {
  if (typeof answer !== 'object' || answer === null || 'then' in answer)
    throw wrong('an object with id, email and name', answer, 'return it at once, not async')
  // The fields are read and not copied, because an ORM may define them as getters of its class.
  const { id, email, name = null, tenant } = answer as Readonly<Record<string, unknown>>
  if (typeof id !== 'string') throw wrong('id as a string', id, 'use String(user.id)')
  if (id === '' || !id.isWellFormed() || CONTROL.test(id))
    throw wrong('id as a non-empty string of Unicode without control characters', id)
  if (typeof email !== 'string' || !email.includes('@'))
    throw wrong('email as an address with an @', email, 'users without one cannot log in')
  if (name !== null && typeof name !== 'string')
    throw wrong('name as a string or null', name, 'use user.name ?? null')
  if (tenant === undefined) return { id, email, name }
  if (tenant !== null && typeof tenant !== 'string')
    throw wrong('tenant as a string or null', tenant, 'use String(user.tenant)')
  return { id, email, name, tenant }
}

const storedHash: Read<string | null> = (answer, wrong) => {
  if (answer === null || answer === undefined) return null
  if (typeof answer === 'string') return answer
  throw wrong('a string or null', answer, 'return the stored text at once, not async')
}

const wasReplaced: Read<boolean> = (answer, wrong) => {
  if (typeof answer === 'boolean') return answer
  throw wrong('true or false', answer, 'return whether a row was updated, such as count === 1')
}

const presented: Read<JsonObject> = (answer, wrong) => {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw wrong('an object', answer, 'return the fields that the panel may show')
  if ('then' in answer) throw wrong('an object', answer, 'return it at once, not async')
  if (!isJson(answer)) throw wrong('what JSON can hold: no BigInt, no cycle', answer)
  return answer
}

function isJson(value: object): value is JsonObject {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

export const userProvider: Contract<UserProvider<unknown>> = {
  name: 'UserProvider',
  nameCall: (method) => method,
  rows: {
    findById: inTime(oneUser),
    findByEmail: inTime(oneUser),
    identify: atOnce(identity),
    passwordHash: atOnce(storedHash),
    verifyPassword: optional(inTime(onlyTrue)),
    rehash: optional(inTime(wasReplaced)),
    setPasswordHash: optional(inTime(wasReplaced)),
    present: optional(atOnce(presented)),
    canAccessPanel: optional(inTime(onlyTrue)),
    create: optional(inTime(newUser)),
  },
}

/** Checks the users of the host, and compares who was found with who was asked for. */
export function checkUsers(users: UserProvider<unknown>, meter: Meter | null = null): Users {
  const provider = checked(users, userProvider, meter)
  const { verifyPassword, rehash, setPasswordHash, create } = provider
  const identify = (host: unknown): User => ({ ...provider.identify(host), host })
  return {
    findById: (id, tenant) =>
      mapAwaitable(provider.findById(id, tenant), (host) => {
        const user = host === null ? null : identify(host)
        return user !== null && user.id === id && isIn(user, tenant) ? user : null
      }),
    findByEmail: (email, tenant) =>
      mapAwaitable(provider.findByEmail(email, tenant), (host) => {
        const user = host === null ? null : identify(host)
        return user !== null && hasEmail(user, email) && isIn(user, tenant) ? user : null
      }),
    findCandidate: (email, tenant) =>
      mapAwaitable(provider.findByEmail(email, tenant), (host) => {
        const candidate = host === null ? null : candidateOf(provider, host)
        const user = candidate?.user ?? null
        return user === null || (hasEmail(user, email) && isIn(user, tenant)) ? candidate : null
      }),
    identify,
    isIn,
    passwordHash: ({ host }) => provider.passwordHash(host),
    credential: ({ host, email }) =>
      provider.passwordHash(host) ?? `${NO_PASSWORD}${canonicalEmail(email)}`,
    mayAccess: ({ host }) => provider.canAccessPanel?.(host) ?? true,
    present: ({ host }) => provider.present?.(host) ?? null,
    verifyPassword: verifyPassword ? ({ host }, password) => verifyPassword(host, password) : null,
    rehash: rehash ? ({ host }, from, to) => rehash(host, from, to) : null,
    setPasswordHash: setPasswordHash
      ? ({ host }, from, to) => setPasswordHash(host, from, to)
      : null,
    create: create ? (fields, tenant) => mapAwaitable(create(fields, tenant), identify) : null,
  }
}

/** Precedes the email in a credential. No hash begins with it. */
const NO_PASSWORD = '\u0000no password:'

/** Compares the tenant, where the host returns it. */
function isIn(found: Identity, tenant: Tenant): boolean {
  return found.tenant === undefined || found.tenant === tenant
}

/** Compares the email. A database that ignores case or accents finds too many users. */
function hasEmail(found: Identity, email: string): boolean {
  return canonicalEmail(found.email) === email
}

function candidateOf(provider: Checked<UserProvider<unknown>>, host: unknown): Candidate {
  let fault: unknown = null
  const attempted = <Answer>(answer: () => Answer): Answer | null => {
    try {
      return answer()
    } catch (error) {
      fault = error
      return null
    }
  }
  const user = attempted(() => ({ ...provider.identify(host), host }))
  const hash = attempted(() => provider.passwordHash(host))
  return { host, user, hash, fault }
}
