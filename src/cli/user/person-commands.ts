import type { Command, OptionValues } from 'commander'
import { erasePerson, type Erased } from '../../core/person/erase-person.ts'
import { exportPerson } from '../../core/person/export-person.ts'
import type { Person } from '../../core/person/person.ts'
import { addPersonCommand } from '../command/find-user.ts'
import type { OpenService } from '../command/open-service.ts'
import { missing, type CommandResult } from '../command/result.ts'
import { confirm } from './confirm.ts'

const AFTER_ERASE = `
The row of the user is of the host and stays, unless you give --with-user, which needs \`users.remove\` of
the configuration. For a user whose row is gone already, give --id. Repeat the command if it fails half-way.`

/** Adds the commands about everything that the service keeps about a person. */
export function addPersonCommands(user: Command): void {
  addPersonCommand(
    user,
    'user export',
    'Prints everything that is kept about a person, as JSON.',
    async ({ parts }, person) => {
      const json = await exportPerson(parts.person, person)
      return { lines: JSON.stringify(json, null, 2).split('\n'), json }
    },
  )
  addPersonCommand(
    user,
    'user erase',
    'Ends the sessions of a person, and erases everything that the service keeps about them.',
    erase,
  )
    .option('--with-user', 'remove the row of the user, too. Needs `users.remove`')
    .option('--yes', 'confirm it (default: ask at the terminal)')
    .addHelpText('after', AFTER_ERASE)
}

async function erase(
  { config, parts }: OpenService,
  person: Person,
  options: OptionValues,
): Promise<CommandResult> {
  const { owner, user } = person
  const removed = options['withUser'] === true ? user : null
  const { users = {} } = config
  if (removed !== null && users.remove === undefined) throw missing('users.remove of defineConfig')
  const row = removed === null ? 'keep the row of the user' : 'remove the row of the user'
  const name = user === null ? `the removed user ${owner.userId}` : user.email
  await confirm(`Erase everything that is kept about ${name}, and ${row}?`, options)
  const erased = await erasePerson(parts.person, person)
  if (removed !== null) {
    await users.remove?.(removed.host)
    // The user may have logged in meanwhile.
    await erasePerson(parts.person, person)
  }
  const json = { id: owner.userId, ...erased, userRemoved: removed !== null }
  return { lines: linesOf(name, erased, rowOf(removed !== null, user !== null)), json }
}

function rowOf(isRemoved: boolean, exists: boolean): string {
  if (isRemoved) return 'The row of the user is removed.'
  return exists
    ? 'The row of the user is of the host, and was not touched.'
    : 'The host has no row of the user.'
}

function linesOf(
  name: string,
  { sessions, notifications, activity }: Erased,
  row: string,
): readonly string[] {
  return [
    `${name}: ${sessions} sessions and waiting logins have ended; ${notifications} notifications and ` +
      `${activity} security events are erased, with the second factor, trusted devices and counts.`,
    row,
  ]
}
