import type { Command, OptionValues } from 'commander'
import type { CommandConfig } from '../../contracts/command-config.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { forbidMigrations } from '../../contracts/migrated.ts'
import { servicePartsOf } from '../../service/service-parts.ts'
import { addCommand, stringOption, type CommandResult } from './result.ts'
import { hasVariable } from './variables.ts'
import { openConfig } from './config-file.ts'

/** The service of a host, opened for one command. */
export type OpenService = ReturnType<typeof serviceOf>

/** Opens the configuration for one command, and closes it afterwards. */
export async function withConfig<Result>(
  command: string,
  options: OptionValues,
  work: (config: CommandConfig<unknown>) => Promise<Result>,
): Promise<Result> {
  if (isLooking(command, options)) forbidMigrations()
  const config = await openConfig(stringOption(options, 'config'), command).catch(
    (error: unknown) => {
      throw withAdvice(error)
    },
  )
  try {
    return await work(config)
  } finally {
    try {
      await config.auth?.close()
    } finally {
      await config.close?.()
    }
  }
}

/** Adds to the reason of a refused configuration that the variables of .env were not read. */
function withAdvice(error: unknown): unknown {
  // One that is set and empty wins over the file.
  const isSet = process.env['APP_KEY'] !== undefined
  // By its name: a configuration in CommonJS may have loaded the package a second time.
  if (!(error instanceof Error) || error.name !== 'ConfigError' || isSet) return error
  if (!hasVariable('.env', 'APP_KEY')) return error
  return new ConfigError(
    `${error.message}\n.env of this folder has an APP_KEY and was not read: add --env-file .env`,
  )
}

/** The commands that change nothing, and read nothing of the service's own tables. */
const LOOKING: ReadonlySet<string> = new Set(['doctor', 'routes', 'openapi', 'user list'])

function isLooking(command: string, options: OptionValues): boolean {
  return LOOKING.has(command) || (command === 'import' && options['apply'] !== true)
}

/**
 * Opens the service for one command, and closes it afterwards.
 *
 * @throws {ConfigError} The configuration has no service of this package.
 */
export async function withService<Result>(
  command: string,
  options: OptionValues,
  work: (service: OpenService) => Promise<Result>,
): Promise<Result> {
  return withConfig(command, options, async (config) => work(serviceOf(config)))
}

/** Adds a command that opens the service by its whole name, such as `user list`. */
export function addServiceCommand(
  parent: Command,
  name: string,
  description: string,
  work: (service: OpenService, options: OptionValues) => Promise<CommandResult>,
): Command {
  const own = name.split(' ').at(-1) ?? name
  return addCommand(parent, own, description, async (options) =>
    withService(name, options, async (service) => work(service, options)),
  )
}

/**
 * Returns the service of a configuration.
 *
 * @throws {ConfigError} It has no service of this package.
 */
export function serviceOf(config: CommandConfig<unknown>) {
  const { auth } = config
  if (auth === undefined)
    throw new ConfigError('auth: is missing in the configuration; give defineConfig({ auth })')
  const parts = servicePartsOf(auth)
  if (parts === null)
    throw new ConfigError(
      'auth: was not created by createPanelAuth of this copy of @svc/auth; run `npx svc` in the ' +
        'folder of the project, whose copy the configuration imports',
    )
  return { config, auth, parts }
}
