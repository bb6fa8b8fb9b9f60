import type { Command, OptionValues } from 'commander'
import type { CommandConfig } from '../../contracts/command-config.ts'
import { ConfigError } from '../../contracts/errors.ts'
import type { MigratedTables } from '../../contracts/migrated.ts'
import { DAY_MS } from '../../rules/limits.ts'
import { servicePartsOf } from '../../service/service-parts.ts'
import {
  addServiceCommand,
  withConfig,
  withService,
  type OpenService,
} from '../command/open-service.ts'
import {
  addCommand,
  missing,
  stringOption,
  UsageError,
  type CommandResult,
} from '../command/result.ts'
import { columns } from '../output/columns.ts'
import { timeOf } from '../output/time.ts'

/** Adds the commands that bring tables up to date and remove expired records. */
export function addMaintenanceCommands(program: Command): void {
  addCommand(
    program,
    'migrate',
    'Opens the stores, which migrates their tables, and prints the versions before and after.',
    migrate,
  )
  addCommand(
    program,
    'prune',
    'Removes expired sessions, logins and counts, and old notifications and activity.',
    prune,
  ).option(
    '--keep-notifications-days <days>',
    'remove notifications that are older (default: as `retention` of the configuration says)',
  )
  addServiceCommand(
    program.command('store').description('Looks at the tables of the service.'),
    'store size',
    'Prints the number of records, the bytes and the oldest record of each table, and what pruning would remove.',
    size,
  )
}

async function size({ parts: { host, settings } }: OpenService): Promise<CommandResult> {
  const { stores } = host
  if (stores.sizes === undefined) throw missing('sizes of the stores')
  const now = (await stores.now?.()) ?? Date.now()
  const { notificationDays, activityDays } = settings.retention
  const sizes = await stores.sizes({
    expired: now,
    notifications: notificationDays === null ? null : now - notificationDays * DAY_MS,
    activity: now - activityDays * DAY_MS,
  })
  const rows = sizes.map(({ name, records, bytes, oldest, due }) => [
    name,
    String(records),
    bytes === null ? '-' : `${Math.ceil(bytes / 1024)} KiB`,
    oldest === null ? '-' : timeOf(oldest),
    String(due),
  ])
  return {
    lines: columns([['table', 'records', 'size', 'oldest', 'to prune'], ...rows]),
    json: {
      sizes: sizes.map(({ name, records, bytes, oldest, due }) => {
        return { name, records, bytes, oldest: oldest === null ? null : timeOf(oldest), due }
      }),
    },
  }
}

async function migrate(options: OptionValues): Promise<CommandResult> {
  return withConfig('migrate', options, async (config) => {
    const migrated = await migratedTables(config)
    return {
      lines: migrated.map(({ tables, from, to }) => `${tables}: ${resultOf(from, to)}`),
      json: { migrated: migrated.map(({ tables, from, to }) => ({ tables, from, to })) },
    }
  })
}

/** Returns every migration that ran when the configuration was opened, and that of the factor. */
async function migratedTables({
  auth,
  migrated = [],
}: CommandConfig<unknown>): Promise<readonly MigratedTables[]> {
  const options = auth === undefined ? undefined : servicePartsOf(auth)?.options
  const own = options?.stores.migrated
  const factor = (await options?.twoFactor?.migrate?.()) ?? null
  const all = [
    ...migrated,
    ...(own === undefined ? [] : [{ tables: SERVICE_TABLES, ...own }]),
    ...(factor === null ? [] : [factor]),
  ]
  if (all.length > 0) return all
  throw new ConfigError(
    'the configuration was opened without a migration: for `svc migrate`, open the stores with ' +
      "`migrate: command === 'migrate'`, or return what migratePostgres returned as `migrated`",
  )
}

const SERVICE_TABLES = 'The tables of the service (svc_…)'

function resultOf(from: number, to: number): string {
  return from === to ? `version ${to}, nothing to do` : `from version ${from} to version ${to}`
}

async function prune(options: OptionValues): Promise<CommandResult> {
  const days = daysOption(options)
  return withService('prune', options, async ({ auth }) => {
    const removed = await auth.prune(days === null ? {} : { keepNotificationsDays: days })
    return { lines: [`Removed ${removed} records.`], json: { removed } }
  })
}

function daysOption(options: OptionValues): number | null {
  const text = stringOption(options, 'keepNotificationsDays')
  if (text === null) return null
  if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError('--keep-notifications-days: give a whole number of days, at least 1')
}
