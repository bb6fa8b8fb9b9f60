import type { Awaitable } from './host.ts'
import type { ImportSource } from './import-source.ts'
import type { MigratedTables } from './migrated.ts'
import type { PanelAuth } from './service-contract.ts'

/**
 * Changes that the command line makes to the host's own users. Without one, its command fails.
 *
 * @see `defineConfig` of `@svc/auth`
 */
export interface UserCommands<User> {
  /** Returns all users, for `svc user list`, or those of `limit` rows, for `svc doctor`. */
  list?(limit?: number): Awaitable<readonly User[]>
  /** Counts the rows of the table that are not users, by the reason; `limit` is as of `list`. */
  leftOut?(limit?: number): Awaitable<Readonly<Record<string, number>>>
  /** Replaces the hash of a password, for `svc user password`. */
  setPassword?(user: User, passwordHash: string): Awaitable<void>
  /** Removes a user, for `svc user remove`. */
  remove?(user: User): Awaitable<void>
  /**
   * Returns why a new password is refused beside the rules of `svc`, such as its 15 characters;
   * `null` accepts it.
   */
  refusePassword?(password: string, email: string): string | null
}

/**
 * The service of a host, for the command line.
 *
 * @see `defineConfig` of `@svc/auth`
 */
export interface CommandConfig<User> {
  /** The service. Only `svc migrate` works without it. */
  readonly auth?: PanelAuth<User>
  /** Changes to the host's own users. Default: none. */
  readonly users?: UserCommands<User>
  /** The host's own migrations that ran when the configuration was opened. Default: none. */
  readonly migrated?: readonly MigratedTables[]
  /** The other systems that `svc import --from` reads, by name. Default: none. */
  readonly imports?: Readonly<Record<string, ImportSource>>
  /** Closes what the configuration opened, after `auth` is closed. */
  close?(): Awaitable<void>
}

/** The command that opens the configuration. */
export interface CommandContext {
  /** The name of the command, such as `migrate` or `session revoke`. */
  readonly command: string
}

/** The default export of `svc.config.ts`: the service, or a function that opens it. */
export type CommandConfigFile<User> =
  | CommandConfig<User>
  | ((context: CommandContext) => Awaitable<CommandConfig<User>>)

/**
 * Declares the service that the command `svc` works on. It is the default export of
 * `svc.config.ts`, `svc.config.js` or `svc.config.mjs`. A function opens its connections for one
 * command, and `close` closes them.
 *
 * @see docs/cli.md, "The configuration"
 *
 * @example
 * ```ts
 * import { postgresStores } from '@svc/auth/postgres'
 *
 * export const svcConfig = defineConfig(async ({ command }) => ({
 *   auth: createPanelAuth({
 *     config,
 *     users,
 *     stores: await postgresStores('postgres://panel@localhost/panel', {
 *       migrate: command === 'migrate',
 *     }),
 *   }),
 * }))
 * ```
 */
export function defineConfig<User>(file: CommandConfigFile<User>): CommandConfigFile<User> {
  return file
}
