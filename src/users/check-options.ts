import { ConfigError } from '../contracts/errors.ts'
import { ensureKnown, ensureName, type Fail } from '../tables/check-names.ts'
import type { UserColumns, UserTableOptions } from './table-options.ts'

const REQUIRED = ['id', 'email', 'passwordHash'] as const satisfies (keyof UserColumns)[]
const OPTIONAL = [
  'name',
  'emailVerifiedAt',
  'deletedAt',
  'active',
  'blocked',
  'blockedUntil',
  'tenant',
] as const satisfies (keyof UserColumns)[]
const COLUMNS: readonly string[] = [...REQUIRED, ...OPTIONAL]

const OPTIONS = [
  'columns',
  'otherColumns',
  'where',
  'ignoreEmailCase',
  'mustVerify',
  'canAccessPanel',
  'present',
  'newRow',
  'timestamp',
  'log',
] as const satisfies (keyof UserTableOptions)[]

/** Properties that `otherColumns` must not replace. */
const RESERVED: ReadonlySet<string> = new Set([
  ...COLUMNS,
  'hasVerifiedEmail',
  'markEmailAsVerified',
])

type Checked = Pick<UserTableOptions<string>, 'columns' | 'otherColumns' | 'where'>

/**
 * Checks the options. A misspelt option would be ignored, and one such as `deletedAt` then admits
 * users who must not enter.
 *
 * @param call The call of the host, for messages.
 * @param own The names of the options that only this call has.
 * @throws {ConfigError} The message names the option and the remedy.
 */
export function checkOptions(call: string, options: Checked, own: readonly string[]): void {
  const fail: Fail = (text) => new ConfigError(`${call}: ${text}`)
  ensureKnown(options, [...OPTIONS, ...own], fail)
  checkColumns(options.columns, (text) => fail(`columns.${text}`))
  for (const [property, column] of Object.entries(options.otherColumns ?? {})) {
    if (RESERVED.has(property))
      throw fail(`otherColumns.${property}: this property has a meaning; choose another name`)
    ensureName(column, `otherColumns.${property}`, fail)
  }
  for (const column of Object.keys(options.where ?? {})) ensureName(column, 'where', fail)
}

function checkColumns(columns: object, fail: Fail): void {
  const given = new Map<string, unknown>(Object.entries(Object(columns) as object))
  ensureKnown(columns, COLUMNS, fail)
  for (const name of REQUIRED) if (!given.has(name)) throw fail(`${name}: is missing`)
  for (const [name, column] of given) if (column !== undefined) ensureName(column, name, fail)
}
