import type { Command, OptionValues } from 'commander'
import { canonicalEmail } from '../../core/email/email-address.ts'
import type { Tenant } from '../../contracts/host.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import type { OpenService } from './open-service.ts'
import { stringOption } from './command-options.ts'
import { UsageError } from './outcome.ts'

/** A user that a command acts on. */
export interface FoundUser {
  readonly user: User
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly tenant: Tenant
}

/** Adds the options that name a user. */
export function withUserOptions(command: Command): Command {
  return command
    .option('--email <email>', 'the email of the user')
    .option('--id <id>', 'the id of the user')
    .option('--tenant <tenant>', 'the tenant of the user (default: none)')
}

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
 * @throws {Error} No such user exists.
 */
export async function findUser(
  { parts: { users } }: OpenService,
  options: OptionValues,
): Promise<FoundUser> {
  const tenant = tenantOption(options)
  const id = stringOption(options, 'id')
  const hasEmail = stringOption(options, 'email') !== null
  if (hasEmail === (id !== null)) throw new UsageError('give either --email or --id')
  const named = id ?? emailOption(options)
  const user = await (id === null ? users.findByEmail(named, tenant) : users.findById(id, tenant))
  if (user === null) throw new Error(`No user has the ${id === null ? 'email' : 'id'} ${named}.`)
  return { user, id: user.id, email: user.email, name: user.name, tenant }
}
