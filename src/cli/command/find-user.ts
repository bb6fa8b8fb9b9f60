import type { Command, OptionValues } from 'commander'
import { canonicalEmail } from '../../contracts/email-address.ts'
import type { Tenant } from '../../contracts/host.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import type { Person } from '../../core/person/person.ts'
import { addServiceCommand, type OpenService } from './open-service.ts'
import { identified, listOf, orUnreadable } from './listed-users.ts'
import { stringOption, UsageError, type CommandResult } from './result.ts'

/** A user that a command acts on. */
export interface FoundUser extends Pick<User, 'id' | 'email' | 'name'> {
  readonly user: User
  readonly tenant: Tenant
}

/** No user is the one that the options name. */
export class NoUserError extends Error {
  override readonly name = 'NoUserError'
}

/** Returns a function that adds a command about what the options of a user find. */
function addCommandAbout<Found>(
  find: (service: OpenService, options: OptionValues) => Promise<Found>,
) {
  return (
    parent: Command,
    name: string,
    description: string,
    work: (service: OpenService, found: Found, options: OptionValues) => Promise<CommandResult>,
  ): Command =>
    addServiceCommand(parent, name, description, async (service, options) => {
      await service.auth.ready()
      return work(service, await find(service, options), options)
    })
      .option('--email <email>', 'the email of the user')
      .option('--id <id>', 'the id of the user')
      .option('--tenant <tenant>', 'the tenant of the user (default: none)')
}

/** Adds a command that acts on one user. */
export const addUserCommand = addCommandAbout(findUser)

/** Adds a command that acts on a user, or on what is left of a removed one. */
export const addPersonCommand = addCommandAbout(findPerson)

/** Returns the tenant of a command; `null` when it names none. */
export function tenantOption(options: OptionValues): Tenant {
  return stringOption(options, 'tenant')
}

/**
 * Returns the email of a command, in the form that the service looks up.
 *
 * @throws {UsageError} The option is missing or malformed.
 */
export function emailOption(options: OptionValues): string {
  const email = canonicalEmail(stringOption(options, 'email') ?? '')
  if (/^[^\s@]+@[^\s@#%/?\\]+$/.test(email) && email.length <= MAX_EMAIL_CHARACTERS) return email
  throw new UsageError('--email: give the address of the user, like --email ada@example.com')
}

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL_CHARACTERS = 254

/**
 * Finds the user that the options name, by email or id.
 *
 * @throws {UsageError} Neither `--email` nor `--id` is given, or both are.
 * @throws {NoUserError} No such user exists.
 */
export async function findUser(service: OpenService, options: OptionValues): Promise<FoundUser> {
  const { user, tenant, missing } = await look(service, options)
  if (user === null) throw new NoUserError(`${missing}.`)
  return { user, id: user.id, email: user.email, name: user.name, tenant }
}

/**
 * Finds the person that the options name. The host may have removed the user of an id.
 *
 * @throws {UsageError} As of `findUser`.
 * @throws {NoUserError} No user has the email.
 * @throws {Error} The user of the id is of another tenant. The second factor is stored by the id
 *   alone, so that user would lose it.
 */
async function findPerson(service: OpenService, options: OptionValues): Promise<Person> {
  const { user, named, kind, tenant, missing } = await look(service, options)
  if (user === null && kind === 'email')
    throw new NoUserError(`${missing}; for a removed user, give --id.`)
  if (user === null && (await isListed(service, named))) throw new Error(elsewhere(named))
  return { user, owner: { tenant, userId: user?.id ?? named } }
}

const elsewhere = (id: string): string =>
  `The user ${id} is of another tenant, and would lose the second factor: name the tenant with --tenant. ` +
  'Where the ids of tenants are the same, erase a user before the row is removed.'

async function look({ parts: { users, options: host } }: OpenService, options: OptionValues) {
  const tenant = tenantOption(options)
  const id = stringOption(options, 'id')
  const hasEmail = stringOption(options, 'email') !== null
  if (hasEmail === (id !== null)) throw new UsageError('give either --email or --id')
  const named = id ?? emailOption(options)
  const kind = id === null ? 'email' : 'id'
  const user = await orUnreadable(async () =>
    kind === 'email' ? users.findByEmail(named, tenant) : users.findById(named, tenant),
  )
  const hasTenants = typeof host.config.app.url !== 'string'
  const place = tenant === null ? '' : ` in the tenant ${tenant}`
  const advice = tenant === null && hasTenants ? '; name the tenant with --tenant' : ''
  return { user, named, kind, tenant, missing: `No user has the ${kind} ${named}${place}${advice}` }
}

async function isListed(service: OpenService, id: string): Promise<boolean> {
  const rows = (await listOf(service)?.()) ?? []
  return rows.some((row) => identified(service, row).id === id)
}
