import * as v from 'valibot'
import {
  ensureOptions,
  optionalFlag,
  optionalFunction,
  optionsOf,
} from '../contracts/call-options.ts'
import { name, optionalName, tableName } from './tables/check-names.ts'
import type { UserColumns, UserTableOptions } from './table-options.ts'

const COLUMNS = {
  id: name,
  email: name,
  passwordHash: name,
  name: optionalName,
  emailVerifiedAt: optionalName,
  deletedAt: optionalName,
  active: optionalName,
  blocked: optionalName,
  blockedUntil: optionalName,
  tenant: optionalName,
} satisfies Record<keyof UserColumns, v.GenericSchema>

/** Properties that `otherColumns` must not replace. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.keys(COLUMNS),
  'hasVerifiedEmail',
  'markEmailAsVerified',
])
const property = v.pipe(
  v.string(),
  v.check((one) => !RESERVED.has(one), 'this property has a meaning; choose another name'),
)

// Valibot reads no property of these names.
const own = v.custom<Record<string, unknown>>(
  (given) =>
    ['__proto__', 'constructor', 'prototype'].every((one) => !Object.hasOwn(Object(given), one)),
  'constructor and prototype have a meaning; choose another name',
)

// Prisma skips a condition that is `undefined`, and would admit every user.
const fixedValue = v.custom(
  (value) => value !== undefined,
  'is undefined; give a value, or leave it out',
)

const OPTIONS = {
  columns: optionsOf(COLUMNS),
  otherColumns: v.optional(v.pipe(own, v.record(property, name))),
  where: v.optional(v.pipe(own, v.record(name, fixedValue))),
  ignoreEmailCase: optionalFlag,
  mustVerify: optionalFunction,
  canAccessPanel: optionalFunction,
  present: optionalFunction,
  newRow: optionalFunction,
  timestamp: optionalFunction,
  log: optionalFunction,
} satisfies Record<keyof UserTableOptions, v.GenericSchema>

const anything = v.optional(v.any())

/** The options that only one kind of users has. */
const OWN = {
  sql: { table: tableName },
  drizzle: { table: anything, operators: anything },
  prisma: { rowsByLowerEmail: optionalFunction },
} as const

/**
 * Checks the options. A misspelt option would be ignored, and one such as `deletedAt` then admits
 * users who must not enter.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} The message names the option and the remedy.
 */
export function checkOptions(call: string, given: unknown, kind: keyof typeof OWN): void {
  ensureOptions(call, given, optionsOf({ ...OWN[kind], ...OPTIONS }))
}
