import type { Command, OptionValues } from 'commander'
import type { CommandConfig } from '../../contracts/command-config.ts'
import { ConfigError } from '../../contracts/errors.ts'
import type { ImportSource } from '../../contracts/import-source.ts'
import { importNotifications, type NotificationReport } from './import-notifications.ts'
import { checkImportedUsers, type UserReport } from './import-users.ts'
import { addServiceCommand, type OpenService } from '../command/open-service.ts'
import { printError } from '../output/output.ts'
import { stringOption, UsageError, type CommandResult } from '../command/result.ts'

const AFTER = `
Without --apply, nothing is changed. Run it as often as you like: what was stored once is not stored
again. The other system is only read.`

/** Adds the command that takes over another system. */
export function addImport(program: Command): void {
  addServiceCommand(
    program,
    'import',
    'Checks the users of another system, and stores its notifications in the bell.',
    importFrom,
  )
    .requiredOption('--from <name>', 'the system, by its name in `imports` of defineConfig')
    .option('--apply', 'store the notifications (default: only report)')
    .addHelpText('after', AFTER)
}

async function importFrom(service: OpenService, options: OptionValues): Promise<CommandResult> {
  const from = stringOption(options, 'from') ?? ''
  const isApplied = options['apply'] === true
  const source = sourceNamed(service.config, from)
  const users = await checkImportedUsers(service)
  const notifications = await importNotifications(service, source, { from, isApplied })
  const { interruption } = notifications
  if (interruption !== undefined) printError(interruption)
  return {
    hasFailed: interruption !== undefined,
    lines: [...linesOfUsers(users), ...linesOfNotifications(notifications, isApplied)],
    json: { applied: isApplied, users, notifications },
  }
}

function sourceNamed({ imports = {} }: CommandConfig<unknown>, name: string) {
  const source: ImportSource | undefined = Object.hasOwn(imports, name) ? imports[name] : undefined
  if (source !== undefined) return source
  const names = Object.keys(imports)
  if (names.length === 0)
    throw new ConfigError('imports: is missing in defineConfig, and this command needs it')
  throw new UsageError(`--from: give one of ${names.join(', ')}`)
}

function linesOfUsers(report: UserReport | null): readonly string[] {
  if (report === null) return ['Users: not checked; this needs users.list of defineConfig.']
  const { total, canLogIn, withTwoFactor, leftOut = {}, findings } = report
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${count} ${reason}`)
  return [
    `Users: ${total}; ${canLogIn} can log in, ${withTwoFactor} have a second factor.`,
    ...(reasons.length === 0 ? [] : [`Rows that are not users: ${reasons.join(', ')}.`]),
    ...findings.map(({ id, email, finding }) => `  ${id}  ${email}: ${finding}`),
  ]
}

function linesOfNotifications(
  { stored, known, refused }: NotificationReport,
  isApplied: boolean,
): readonly string[] {
  const done = isApplied ? 'stored' : 'to store'
  return [
    `Notifications: ${stored} ${done}, ${known} stored before, ${refused.length} refused.`,
    ...refused.map(({ id, reason }) => `  ${id}: ${reason}`),
    ...(isApplied ? [] : ['Nothing was changed. To store them, add --apply.']),
  ]
}
