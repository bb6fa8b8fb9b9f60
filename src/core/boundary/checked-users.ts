import type { JsonObject, NewUser, Tenant, UserProvider } from '../../contracts/host.ts'
import { canonicalEmail } from '../../contracts/email-address.ts'
import { isThenable, mapAwaitable } from '../timeouts.ts'
import type { Meter } from '../meter.ts'
import { isObject, onlyTrue } from './answers.ts'
import {
  atOnce,
  checked,
  ContractError,
  contractOf,
  inTime,
  optional,
  type Checked,
  type ReadAnswer,
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
export type Users = Readonly<ReturnType<typeof checkUsers>>

type Identity = ReturnType<UserProvider<unknown>['identify']>

/** The values that libraries without `null` return for "not found". */
const NOBODY: ReadonlySet<unknown> = new Set([null, undefined, false, 0, ''])

const oneUser: ReadAnswer<unknown> = (answer, wrong) => {
  if (NOBODY.has(answer)) return null
  if (isObject(answer)) return answer
  throw wrong('one user or null', answer, 'return the first row, or null')
}

const newUser: ReadAnswer<unknown> = (answer, wrong) => {
  if (isObject(answer)) return answer
  throw wrong('the new user', answer)
}

/** PostgreSQL stores no U+0000, and the service begins ids of its own with another. */
const CONTROL = /\p{Cc}/u

const identity: ReadAnswer<Identity> = (answer, wrong) => {
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

const storedHash: ReadAnswer<string | null> = (answer, wrong) => {
  if (answer === null || answer === undefined) return null
  if (typeof answer === 'string') return answer
  throw wrong('a string or null', answer, 'return the stored text at once, not async')
}

const wasReplaced: ReadAnswer<boolean> = (answer, wrong) => {
  if (typeof answer === 'boolean') return answer
  throw wrong('true or false', answer, 'return whether a row was updated, such as count === 1')
}

/** Returns a copy as JSON has it: the fields of a document may have more than its `toJSON`. */
const presented: ReadAnswer<JsonObject> = (answer, wrong) => {
  if (isThenable(answer)) throw wrong('an object', answer, 'return it at once, not async')
  try {
    const copy: JsonObject = JSON.parse(JSON.stringify(answer))
    if (isObject(copy)) return copy
  } catch {
    // It has a BigInt or a cycle, or is nothing in JSON.
  }
  throw wrong('an object of JSON: no BigInt, no cycle', answer, 'return what the panel may show')
}

export const userProvider = contractOf<UserProvider<unknown>>('UserProvider', (method) => method, {
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
})

/** Checks the users of the host, and compares who was found with who was asked for. */
export function checkUsers(users: UserProvider<unknown>, meter: Meter | null = null) {
  const provider = checked(users, userProvider, meter)
  const { verifyPassword, rehash, setPasswordHash, create } = provider
  const identify = (host: unknown): User => ({ ...provider.identify(host), host })
  const found = (host: unknown, tenant: Tenant, isAsked: (user: User) => boolean): User | null => {
    const user = host === null ? null : identify(host)
    return user !== null && isAsked(user) && isIn(user, tenant) ? user : null
  }
  return {
    findById: (id: string, tenant: Tenant) =>
      mapAwaitable(provider.findById(id, tenant), (host) =>
        found(host, tenant, (user) => user.id === id),
      ),
    findByEmail: (email: string, tenant: Tenant) =>
      mapAwaitable(provider.findByEmail(email, tenant), (host) =>
        found(host, tenant, (user) => hasEmail(user, email)),
      ),
    /**
     * Finds a user for a login, and keeps the errors of the host for later. Throwing them would
     * reveal that the account exists, because an unknown email gets a regular refusal.
     */
    findCandidate: (email: string, tenant: Tenant) =>
      mapAwaitable(provider.findByEmail(email, tenant), (host) => {
        const candidate = host === null ? null : candidateOf(provider, host)
        const user = candidate?.user ?? null
        return user === null || (hasEmail(user, email) && isIn(user, tenant)) ? candidate : null
      }),
    /** Identifies a user that the host passes in. */
    identify,
    isIn,
    passwordHash: ({ host }: HostUser) => provider.passwordHash(host),
    /** Returns whether the user has a password, also one whose hash cannot be read. */
    hasPassword: ({ host }: HostUser) => standsForPassword(provider.passwordHash(host)),
    /**
     * Returns the text that the sessions of a user depend on: the hash of the password. Without a
     * password it has the email: ids are used again, and a session of a removed user must not be
     * one of the next user with the id.
     */
    credential: ({ host, email }: User) => credentialOf(provider.passwordHash(host), email),
    /** Returns whether the user may use the panel. */
    mayAccess: ({ host }: HostUser) => provider.canAccessPanel?.(host) ?? true,
    /** Returns the fields that the host shows of a user; `null`: the service chooses them. */
    present: ({ host }: HostUser) => presentedBy(provider, host),
    verifyPassword: ofUser(verifyPassword),
    rehash: ofUser(rehash),
    setPasswordHash: ofUser(setPasswordHash),
    /** `null`: the host creates no users. */
    create: create
      ? (fields: NewUser, tenant: Tenant) => mapAwaitable(create(fields, tenant), identify)
      : null,
  }
}

/** Returns an optional method that takes a user; `null`: the host does not have it. */
function ofUser<Rest extends readonly unknown[], Answer>(
  method: ((host: unknown, ...rest: Rest) => Answer) | undefined,
) {
  return method ? ({ host }: HostUser, ...rest: Rest) => method(host, ...rest) : null
}

/**
 * Returns whether a stored text stands for a password. Where a column takes no NULL, other systems
 * store an empty text for none; Django stores `!` and random characters.
 */
function standsForPassword(stored: string | null): boolean {
  return stored !== null && stored !== '' && !stored.startsWith('!')
}

/**
 * Returns the fields that a host shows, unless the stored hash is among them. A shorter text, such
 * as a placeholder, may be in a field by chance.
 */
function presentedBy(provider: Checked<UserProvider<unknown>>, host: unknown): JsonObject | null {
  const fields = provider.present?.(host) ?? null
  const hash = fields && provider.passwordHash(host)
  if (hash === null || hash.length < 20 || !JSON.stringify(fields).includes(hash)) return fields
  throw new ContractError(
    'UserProvider.present must leave the password hash out: name the fields that the panel may show',
  )
}

/** Precedes the email in a credential. No hash begins with it. */
const NO_PASSWORD = '\u0000no password:'

function credentialOf(hash: string | null, email: string): string {
  if (hash !== null && standsForPassword(hash)) return hash
  return `${NO_PASSWORD}${hash ?? ''}${canonicalEmail(email)}`
}

/**
 * Returns whether a user may belong to a tenant. One whose tenant the host does not return may:
 * only the id tells then, and ids may be the same in several tenants.
 */
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
