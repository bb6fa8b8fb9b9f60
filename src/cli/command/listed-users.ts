import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UserCommands } from '../../contracts/command-config.ts'
import { reasonOfError } from '../../contracts/errors.ts'
import type { Awaitable, JsonObject, UserProvider } from '../../contracts/host.ts'
import { writeErrorLine } from '../../contracts/write-line.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import { printable } from '../../rules/printable.ts'
import { columns } from '../output/columns.ts'
import { messageOf, printError } from '../output/output.ts'
import type { OpenService } from './open-service.ts'
import { missing, type CommandResult } from './result.ts'

/** A row of the host's list that could not be read, and why. One must not hide the others. */
export type UnreadUser = Readonly<Record<'id' | 'email' | 'reason', string>>

/** Users who are read at once; more would wait for a connection of an ordinary pool. */
const AT_ONCE = 20
const PROGRESS_EVERY = 1000

/** The finding about a user whom a login finds, and the requests after it do not. */
export const NOT_BY_ID =
  'is not found by the id, so that a session ends at once: is it unique, and a number, a UUID or a text?'

/** The users of the host cannot be read. The message names the remedy. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'

  constructor(cause: unknown) {
    super(
      `the users cannot be read: ${reasonOfError(cause)}; correct the table, its columns, \`where\`, its index on the email or its database in the user provider`,
      { cause },
    )
  }
}

/**
 * Reads users of the host for a command.
 *
 * @throws {UnreadableError} They cannot be read.
 */
export async function orUnreadable<Result>(read: () => Awaitable<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw new UnreadableError(error)
  }
}

/**
 * Returns all users of the configuration.
 *
 * @throws {ConfigError} It lists none.
 * @throws {UnreadableError} They cannot be read.
 */
export async function listAll({ config: { users } }: OpenService): Promise<readonly unknown[]> {
  if (users?.list === undefined) throw missing('users.list of defineConfig')
  return orUnreadable(async () => users.list?.() ?? [])
}

/** Returns the list of the configuration, or of the provider: those of this package have one. */
export function listOf({ config, parts }: OpenService): UserCommands<unknown>['list'] | null {
  const provider: UserProvider<unknown> & Pick<UserCommands<unknown>, 'list'> = parts.options.users
  const source = config.users?.list === undefined ? provider : config.users
  return source.list === undefined ? null : async (limit) => (await source.list?.(limit)) ?? []
}

/** Counts the rows that are not users, by the reason; nothing where the provider cannot. */
export async function leftOutOf({ config, parts }: OpenService, limit: number) {
  const provider: UserProvider<unknown> & Pick<UserCommands<unknown>, 'leftOut'> =
    parts.options.users
  return (await (config.users ?? provider).leftOut?.(limit)) ?? {}
}

/** Returns whether a row could not be read. */
export function isUnread(one: object): one is UnreadUser {
  return 'reason' in one
}

/** Identifies the user of a row of the host's list. */
export function identified({ parts: { users } }: OpenService, row: unknown): User | UnreadUser {
  try {
    return users.identify(row)
  } catch (error) {
    return unread(row, error)
  }
}

function unread(row: unknown, error: unknown): UnreadUser {
  const { id = null, email = null } = Object(row) as Readonly<Record<string, unknown>>
  return { id: String(id), email: String(email), reason: messageOf(error) }
}

/**
 * Returns the result of a command that lists users. It has failed where one of them is missing in
 * the list.
 */
export function outcomeOfList<Found extends JsonObject>(
  all: readonly (Found | UnreadUser)[],
  cellsOf: (user: Found) => readonly string[],
): CommandResult {
  const users = all.filter((one): one is Found => !isUnread(one))
  const refused = all.filter(isUnread)
  for (const { id, email, reason } of refused)
    printError(printable(`The user ${id} (${email}) cannot be read: ${reason}`))
  const json = { users, ...(refused.length > 0 && { refused }) }
  return { lines: columns(users.map(cellsOf)), json, hasFailed: refused.length > 0 }
}

/**
 * Calls a function with each user of a list.
 *
 * @throws {unknown} It has failed for a whole group of users, as in an outage.
 */
export async function visitUsers<Found extends object>(
  service: OpenService,
  rows: readonly unknown[],
  visit: (user: User) => Promise<Found>,
): Promise<readonly (Found | UnreadUser)[]> {
  const results: (Found | UnreadUser)[] = []
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    // SQLite answers without a turn of the event loop, and Ctrl-C is noticed at one.
    await nextTurn()
    const users = rows.slice(at, at + AT_ONCE).map((row) => identified(service, row))
    const settled = await Promise.allSettled(
      users.map(async (user) => (isUnread(user) ? user : visit(user))),
    )
    const [first] = settled
    const isNobody = settled.every(({ status }) => status === 'rejected')
    // The last group may be of one user.
    const isWhole = at === 0 || users.length === AT_ONCE
    if (isWhole && isNobody && first?.status === 'rejected') throw first.reason
    results.push(
      ...settled.map((one, index) =>
        one.status === 'fulfilled' ? one.value : unread(users[index], one.reason),
      ),
    )
    if (results.length % PROGRESS_EVERY === 0)
      writeErrorLine(`${results.length} of ${rows.length} users`)
  }
  return results
}
