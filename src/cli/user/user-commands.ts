import type { Command, OptionValues } from 'commander'
import { ConfigError } from '../../contracts/errors.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import { hashPassword } from '../../core/passwords/passwords.ts'
import { addUserStateCommands } from './account-commands.ts'
import { addUserCommand, emailOption, tenantOption, type FoundUser } from '../command/find-user.ts'
import {
  identified,
  isUnread,
  listAll,
  orUnreadable,
  outcomeOfList,
} from '../command/listed-users.ts'
import { confirm } from './confirm.ts'
import { addPersonCommands } from './person-commands.ts'
import { addServiceCommand, withService, type OpenService } from '../command/open-service.ts'
import { addCommand, missing, stringOption, type CommandResult } from '../command/result.ts'
import { reasonAgainst } from './password-rules.ts'
import { readPassword } from './read-password.ts'

const PASSWORD = `
The password is read from a prompt, or from standard input where that is not a terminal. It has at least
15 characters.`

/** Adds the commands about users, which are the host's. */
export function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description("Changes users, as far as the host's code offers it.")
  addCommand(user, 'create', 'Creates a user. Needs `create` of the user provider.', create)
    .requiredOption('--email <email>', 'the email of the user')
    .option('--name <name>', 'the name of the user')
    .option('--tenant <tenant>', 'the tenant of the user (default: none)')
    .option('--require-two-factor', 'the user must set up a second factor before entering')
    .addHelpText('after', PASSWORD)
  addUserCommand(
    user,
    'user password',
    'Replaces the password of a user and ends every session. Needs `users.setPassword`.',
    setPassword,
  ).addHelpText('after', PASSWORD)
  addUserCommand(
    user,
    'user remove',
    'Removes a user and ends every session. Needs `users.remove`.',
    remove,
  ).option('--yes', 'confirm it (default: ask at the terminal)')
  addUserCommand(
    user,
    'user invite',
    'Sends a user a link for choosing a password. Needs the option `passwords`.',
    invite,
  )
    .option('--panel <panel>', 'the panel that the link leads to (default: the first)')
    .option('--language <tag>', 'the language of the mail (default: en)')
  addServiceCommand(user, 'user list', 'Lists the users. Needs `users.list`.', list)
  addUserStateCommands(user)
  addPersonCommands(user)
}

async function create(options: OptionValues): Promise<CommandResult> {
  const email = emailOption(options)
  const tenant = tenantOption(options)
  return withService('user create', options, async (service) => {
    const { users } = service.parts
    if (users.create === null) throw missing('users.create of createPanelAuth')
    if ((await orUnreadable(async () => users.findByEmail(email, tenant))) !== null)
      throw new Error(`${email} exists already: \`svc user password\` replaces the password.`)
    const requireTwoFactor = options['requireTwoFactor'] === true
    if (requireTwoFactor && service.parts.factor === null)
      throw new ConfigError('--require-two-factor: no second factor is bound')
    const passwordHash = await readPasswordHash(service, email)
    const name = stringOption(options, 'name')
    const made = await users.create(
      { email, name, passwordHash, ...(requireTwoFactor && { requireTwoFactor }) },
      tenant,
    )
    if (requireTwoFactor) await ensureRequired(service, made)
    return { lines: [`${email} can log in.`], json: { id: made.id, email } }
  })
}

/** Refuses a host that ignores the field: the account would need no second factor. */
async function ensureRequired({ auth, parts: { factor } }: OpenService, user: User): Promise<void> {
  await auth.ready()
  const requirement = await factor?.requirementOf(user)
  if (requirement?.required || requirement?.requiredFrom != null) return
  throw new ConfigError(
    'users.create: ignores `requireTwoFactor`; the user exists and needs no second factor',
  )
}

async function setPassword(service: OpenService, found: FoundUser): Promise<CommandResult> {
  const { user, id, email, tenant } = found
  const { users } = service.config
  if (users?.setPassword === undefined) throw missing('users.setPassword of defineConfig')
  await users.setPassword(user.host, await readPasswordHash(service, email))
  const ended = await service.auth.endSessions(id, { tenant })
  return {
    lines: [`The password of ${email} is changed; all of their sessions have ended.`],
    json: { id, email, ended },
  }
}

async function invite(
  { auth }: OpenService,
  { user, id, email, tenant }: FoundUser,
  options: OptionValues,
): Promise<CommandResult> {
  const panel = stringOption(options, 'panel')
  const language = stringOption(options, 'language')
  await auth.invite(user.host, {
    tenant,
    ...(panel !== null && { panel }),
    ...(language !== null && { language }),
  })
  return { lines: [`${email} has been sent an invitation.`], json: { id, email } }
}

async function remove(
  service: OpenService,
  found: FoundUser,
  options: OptionValues,
): Promise<CommandResult> {
  const { user, id, email, name, tenant } = found
  const { users } = service.config
  if (users?.remove === undefined) throw missing('users.remove of defineConfig')
  const person = name === null ? email : `${name} <${email}>`
  await confirm(`Remove ${person}, whose id is ${id}, and end every session?`, options)
  await users.remove(user.host)
  const ended = await service.auth.endSessions(id, { tenant })
  return { lines: [`${email} is removed.`], json: { id, email, ended } }
}

async function list(service: OpenService): Promise<CommandResult> {
  const all = (await listAll(service)).map((row) => {
    const user = identified(service, row)
    return isUnread(user) ? user : { id: user.id, email: user.email, name: user.name }
  })
  return outcomeOfList(all, ({ id, email, name }) => [id, email, name ?? ''])
}

async function readPasswordHash({ config, parts }: OpenService, email: string): Promise<string> {
  const password = await readPassword()
  const reason =
    (await reasonAgainst(password, email, parts.settings.spa.name)) ??
    config.users?.refusePassword?.(password, email) ??
    null
  if (reason !== null) throw new Error(reason)
  return hashPassword(password)
}
