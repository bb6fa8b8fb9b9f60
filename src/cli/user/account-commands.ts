import type { Command, OptionValues } from 'commander'
import { verifiable } from '../../core/boundary/verifiable-user.ts'
import { emailStateOf } from '../../core/email/email-state.ts'
import { ConfigError } from '../../contracts/errors.ts'
import type { CheckedAuthenticator } from '../../core/second-factor/checked-authenticator.ts'
import type { Requirement } from '../../core/second-factor/requirement.ts'
import { addUserCommand, emailOption, tenantOption, type FoundUser } from '../command/find-user.ts'
import { addServiceCommand, withService, type OpenService } from '../command/open-service.ts'
import { listAll, outcomeOfList, visitUsers } from '../command/listed-users.ts'
import { addCommand, stringOption, type CommandResult } from '../command/result.ts'

/** Adds the commands about the second factor and the bell of a user. */
export function addAccountCommands(program: Command): void {
  const factor = program
    .command('two-factor')
    .description("Inspects and resets a user's second factor.")
  addUserCommand(factor, 'two-factor status', 'Prints whether it is enabled and required.', status)
  addUserCommand(
    factor,
    'two-factor reset',
    'Disables it, for a user who has lost it, and ends every session of the user.',
    reset,
  )
  addServiceCommand(
    factor,
    'two-factor none',
    'Lists the users who have none. Needs `users.list`.',
    listWithout,
  )
  addUserCommand(program, 'notify', "Sends a notification to a user's bell.", notify)
    .requiredOption('--title <title>', 'the title, plain text')
    .option('--body <body>', 'the text below it')
    .option('--url <url>', 'where a click leads: https:, http: or a path of the site')
    .option('--type <type>', 'the kind of notification', 'command-line')
}

/** Adds the commands about a user that need nothing of the host but its users. */
export function addUserStateCommands(user: Command): void {
  addCommand(user, 'unlock', 'Lifts the day-long limits of failed logins of an email.', unlock)
    .requiredOption('--email <email>', 'the email, also of no user')
    .option('--tenant <tenant>', 'the tenant of the user (default: none)')
  addUserCommand(user, 'user verify', 'Marks the email of a user as verified.', verify)
}

function factorOf({ parts: { factor } }: OpenService): CheckedAuthenticator {
  if (factor === null) throw notBound()
  return factor
}

function notBound(): ConfigError {
  return new ConfigError('twoFactor: is not bound, so no user has a second factor')
}

async function status(
  service: OpenService,
  { user, id, email }: FoundUser,
): Promise<CommandResult> {
  const factor = factorOf(service)
  const { state, ...requirement } = await factor.stateOf(user)
  const isEnabled = state === 'enabled'
  const demand = jsonOf(requirement)
  const devices = isEnabled ? await factor.listDevices(user) : null
  const counted = devices === null ? '' : `, devices: ${devices.length}`
  return {
    lines: [
      `${email}: ${isEnabled ? 'enabled' : 'not enabled'}, ${demandOf(demand) ?? 'not required'}${counted}`,
    ],
    json: {
      id,
      email,
      enabled: isEnabled,
      ...demand,
      ...(devices !== null && { devices: devices.length }),
    },
  }
}

async function listWithout(service: OpenService): Promise<CommandResult> {
  const factor = factorOf(service)
  const rows = await listAll(service)
  await service.auth.ready()
  const all = await visitUsers(service, rows, async (user) => {
    const { state, ...requirement } = await factor.stateOf(user)
    if (state === 'enabled') return []
    return [{ id: user.id, email: user.email, ...jsonOf(requirement) }]
  })
  return outcomeOfList(all.flat(), ({ id, email, ...demand }) => [
    id,
    email,
    demandOf(demand) ?? '',
  ])
}

type Demand = ReturnType<typeof jsonOf>

/** Returns the demand in words; `null` if there is none. */
function demandOf({ required, required_from: from }: Demand): string | null {
  if (from !== undefined) return `required from ${from}`
  return required ? 'required' : null
}

function jsonOf({ required, requiredFrom }: Requirement) {
  return {
    required,
    ...(requiredFrom !== null && { required_from: new Date(requiredFrom).toISOString() }),
  }
}

async function reset(service: OpenService, found: FoundUser): Promise<CommandResult> {
  const { user, id, email, tenant } = found
  const { resetTwoFactor } = service.parts
  if (resetTwoFactor === null) throw notBound()
  const ended = await resetTwoFactor(user, { userId: id, tenant })
  return {
    lines: [`The second factor of ${email} is disabled; ${ended} sessions have ended.`],
    json: { id, email, ended },
  }
}

async function unlock(options: OptionValues): Promise<CommandResult> {
  const email = emailOption(options)
  const tenant = tenantOption(options)
  return withService('user unlock', options, async ({ auth, parts }) => {
    await auth.unlock(email, { tenant })
    const isUser = (await parts.users.findByEmail(email, tenant)) !== null
    const lifted = `The day-long limits of failed logins of ${email} are lifted. The lock of a minute ends by itself.`
    return {
      lines: isUser ? [lifted] : [lifted, 'No user has this email.'],
      json: { email, user: isUser },
    }
  })
}

async function verify(
  { parts }: OpenService,
  { user, id, email, tenant }: FoundUser,
): Promise<CommandResult> {
  const methods = verifiable(user)
  if (methods === null)
    return { lines: [`${email} need not be verified.`], json: { id, email, verified: null } }
  // As in the service, whose event reports the first verification.
  const isNew = emailStateOf(user).state !== 'verified'
  await methods.markEmailAsVerified()
  if (isNew) parts.events.emit('verified', { userId: id, tenant }, null)
  return { lines: [`${email} is verified.`], json: { id, email, verified: true } }
}

async function notify(
  { auth }: OpenService,
  { user, id, email, tenant }: FoundUser,
  options: OptionValues,
): Promise<CommandResult> {
  const notification = {
    type: stringOption(options, 'type') ?? '',
    via: () => ['database'],
    toDatabase: () => ({
      title: stringOption(options, 'title') ?? '',
      body: stringOption(options, 'body'),
      url: stringOption(options, 'url'),
    }),
  }
  await auth.notify(user.host, notification, { tenant })
  return { lines: [`${email} has a new notification.`], json: { id, email } }
}
