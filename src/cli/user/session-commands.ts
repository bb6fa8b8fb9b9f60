import type { Command, OptionValues } from 'commander'
import type { ListedSession } from '../../core/sessions/session-list.ts'
import { confirm } from './confirm.ts'
import { columns } from '../output/columns.ts'
import { timeOf } from '../output/time.ts'
import { addUserCommand, type FoundUser } from '../command/find-user.ts'
import { withService, type OpenService } from '../command/open-service.ts'
import { addCommand, stringOption, UsageError, type CommandResult } from '../command/result.ts'

const AFTER_LIST = `
The first column names the session for "svc session revoke --session". A session cannot be taken
over with it.`

const AFTER_REVOKE_EVERYONE = `
Everybody logs in again, nobody's browser is trusted any more, and no link to a password works that
was sent before. After a leaked database or a restored backup; docs/runbook.md says what else to
do.`

/** Adds the commands about the sessions of a user. */
export function addSessionCommands(program: Command): void {
  const session = program.command('session').description('Lists and ends sessions.')
  addUserCommand(
    session,
    'session list',
    'Lists the sessions of a user, the most recently seen first.',
    list,
  ).addHelpText('after', AFTER_LIST)
  addUserCommand(
    session,
    'session revoke',
    'Ends one session of a user, or every session and pending login.',
    revoke,
  )
    .option('--session <session>', 'end this session, as "svc session list" names it')
    .option('--all', 'end every session and pending login (default)')
  addCommand(
    session,
    'revoke-everyone',
    'Ends every session, pending login and trusted device of all users.',
    revokeEveryone,
  )
    .option('--yes', 'do not ask')
    .addHelpText('after', AFTER_REVOKE_EVERYONE)
}

async function list({ parts }: OpenService, found: FoundUser): Promise<CommandResult> {
  const { user, id, email, tenant } = found
  const credential = parts.users.credential(user)
  const sessions = await parts.sessionList.of({ userId: id, tenant }, credential)
  return {
    lines: sessions.length === 0 ? [`${email} has no session.`] : columns(rows(sessions)),
    json: { id, email, sessions: sessions.map(jsonOf) },
  }
}

const HEAD = ['session', 'created', 'last seen', 'expires', 'state'] as const

/** Returns the lines of the table. Places have columns only where the service keeps any. */
function rows(sessions: readonly ListedSession[]): readonly (readonly string[])[] {
  const hasPlaces = sessions.some(({ place }) => place !== null)
  const lines = sessions.map(({ handle, createdAt, lastSeenAt, expiresAt, place, ...session }) => [
    handle,
    ...[createdAt, lastSeenAt, expiresAt].map(timeOf),
    stateOf(session),
    ...(hasPlaces ? PLACE.map((name) => place?.[name] ?? '-') : []),
  ])
  return [[...HEAD, ...(hasPlaces ? PLACE : [])], ...lines]
}

const PLACE = ['browser', 'system', 'network'] as const

function stateOf({
  state,
  isSettingUpTwoFactor,
}: Pick<ListedSession, 'state' | 'isSettingUpTwoFactor'>): string {
  if (state === 'password-changed') return 'the password has changed; ends at its next request'
  return isSettingUpTwoFactor ? 'active, setting up two-factor' : 'active'
}

function jsonOf({ handle, createdAt, lastSeenAt, expiresAt, ...session }: ListedSession) {
  return {
    session: handle,
    createdAt: timeOf(createdAt),
    lastSeenAt: timeOf(lastSeenAt),
    expiresAt: timeOf(expiresAt),
    state: session.state,
    settingUpTwoFactor: session.isSettingUpTwoFactor,
    ...session.place,
  }
}

async function revoke(
  service: OpenService,
  found: FoundUser,
  options: OptionValues,
): Promise<CommandResult> {
  const handle = stringOption(options, 'session')
  if (handle === null) return revokeAll(service, found)
  if (options['all'] === true) throw new UsageError('give either --session or --all')
  return revokeOne(service, found, handle)
}

async function revokeAll({ auth }: OpenService, found: FoundUser): Promise<CommandResult> {
  const { id, email, tenant } = found
  const ended = await auth.endSessions(id, { tenant })
  return {
    lines: [`${ended} sessions and pending logins of ${email} have ended.`],
    json: { id, email, ended },
  }
}

async function revokeEveryone(options: OptionValues): Promise<CommandResult> {
  await confirm('End every session, pending login and trusted device of all users?', options)
  return withService('session revoke-everyone', options, async ({ auth, parts }) => {
    await auth.ready()
    const ended = await parts.endEveryone()
    return {
      lines: [`${ended} sessions, pending logins and trusted devices of all users have ended.`],
      json: { ended },
    }
  })
}

async function revokeOne(
  { parts }: OpenService,
  { id, email, tenant }: FoundUser,
  session: string,
): Promise<CommandResult> {
  if (await parts.sessionList.end({ userId: id, tenant }, session, null))
    return {
      lines: [`The session ${session} of ${email} has ended.`],
      json: { id, email, session, ended: 1 },
    }
  throw new Error(
    `${email} has no session ${session}: it may have ended; run \`svc session list\` again`,
  )
}
