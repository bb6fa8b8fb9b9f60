import * as v from 'valibot'
import {
  ensureOptions,
  optionalFlag,
  optionalFunction,
  optionsOf,
} from '../contracts/call-options.ts'
import { ConfigError } from '../contracts/errors.ts'
import { name, optionalName, tableName } from '../users/tables/check-names.ts'
import { hiddenRows } from '../users/tables/row-security.ts'
import { readFlag, readText, storedText, wrong } from '../users/tables/row-values.ts'
import type { Condition, Row, TableRows, TableShape } from '../users/tables/table-rows.ts'
import { DEVICES, deviceReplacer } from './device-column.ts'
import { exactFinder, isChanged, notOneRow, type FindRows } from './exact-rows.ts'
import type { FactorStore, StoredFactor, StoredForm } from './factor-store.ts'
import { enableWhole } from './whole-factor.ts'

/** The columns of second factors; those of Drizzle and Prisma are named as in their models. */
export interface FactorColumns<Column extends string = string> {
  /** The id of the user; unique. */
  readonly userId: Column
  readonly secret: Column
  readonly recoveryCodes: Column
  /** A number of 64 bits: the step of the last code, so that no code is accepted twice. */
  readonly lastStep: Column
  /** A time. A factor without it is not enabled yet. Default: every factor is enabled. */
  readonly confirmedAt?: Column
}

/** The options that every kind of table of second factors has. */
export interface FactorTableOptions<Column extends string = string> extends Pick<
  FactorStore,
  'secrets' | 'recoveryCodes' | 'newSecret'
> {
  /** Default: `user_id`, `secret`, `recovery_codes` and `last_step`. */
  readonly columns?: FactorColumns<Column>
  /**
   * `true`: the columns are part of the table of users, and a user without a secret has no second
   * factor. Default: false, a row is a second factor.
   */
  readonly inUsersTable?: boolean
  /**
   * `true`: a user may have several devices. Needs a column `devices` of texts, which can be null.
   * Default: false, a user has one.
   */
  readonly devices?: boolean
  /** Returns more values of a new row, by column. Default: none. */
  readonly newRow?: () => Readonly<Record<string, unknown>>
  /** Converts the time for `confirmedAt`. Default: the `Date`. */
  readonly timestamp?: (now: Date) => unknown
}

/** The options of a store on SQL or Kysely, which name their table. */
export interface FactorTable extends FactorTableOptions {
  /** The name of the table, with its schema where needed. Default: `svc_two_factor`. */
  readonly table?: string
}

const COLUMNS = {
  userId: name,
  secret: name,
  recoveryCodes: name,
  lastStep: name,
  confirmedAt: optionalName,
} satisfies Record<keyof FactorColumns, v.GenericSchema>

const form = v.optional(
  v.custom<StoredForm<never>>(
    (one) => [Object(one).read, Object(one).write].every((method) => typeof method === 'function'),
    'give an object with the methods read and write',
  ),
)

const OPTIONS = {
  columns: v.exactOptional(optionsOf(COLUMNS)),
  inUsersTable: optionalFlag,
  devices: optionalFlag,
  secrets: form,
  recoveryCodes: form,
  newSecret: optionalFunction,
  newRow: optionalFunction,
  timestamp: optionalFunction,
} satisfies Record<keyof FactorTableOptions, v.GenericSchema>

/** The schemas of the options: with the name of a table, or of a model that is the table. */
const SCHEMAS = {
  named: optionsOf({ table: v.optional(tableName), ...OPTIONS }),
  model: optionsOf(OPTIONS),
} as const

/**
 * Checks the options. Without one that is misspelt, such as `confirmedAt`, other users would have a
 * second factor.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} The message names the option and the remedy.
 */
export function checkFactorOptions(
  call: string,
  given: FactorTableOptions,
  kind: keyof typeof SCHEMAS,
): void {
  ensureOptions(call, given, SCHEMAS[kind])
  // Another system that enables the factor again there would leave the devices of before.
  if (given.devices === true && given.inUsersTable === true)
    throw new ConfigError(
      `${call}: devices: leave out inUsersTable; devices need rows of their own`,
    )
}

/** Creates a store on the rows of a table. */
export function tableFactors(options: Mapped, open: (shape: TableShape) => TableRows): FactorStore {
  const { columns, devices = false, inUsersTable = false } = options
  const { lastStep, ...selected } = columns
  const rows = open({
    id: columns.userId,
    selected: new Map(
      Object.entries(devices ? { ...selected, lastStep, devices: DEVICES } : selected),
    ),
    asText: new Set(['userId']),
  })
  const user: Condition = { column: columns.userId, is: 'equal' }
  const secret: Condition = { column: columns.secret, is: 'same' }
  const codes: Condition = { column: columns.recoveryCodes, is: 'same' }
  const useStep = rows.update(
    [columns.lastStep, columns.secret],
    [user, secret, { column: columns.lastStep, is: 'less-or-null' }],
  )
  const replaceCodes = rows.update([columns.recoveryCodes], [user, codes])
  const find = exactFinder(rows.find([user]))
  const read = readerOf(options, rows, find)
  const disable = disablerOf(options, rows, find)
  const enable = inUsersTable
    ? enableInUsers(options, rows, find)
    : enableInRows(options, rows, read)
  return {
    read,
    useStep: async (id, before, used) =>
      isChanged(await useStep([used.lastStep, used.secret, id, before.secret, used.lastStep])),
    replaceRecoveryCodes: async (id, before, after) =>
      isChanged(await replaceCodes([after, id, before.recoveryCodes])),
    ...(devices && { replaceDevices: deviceReplacer(columns, rows) }),
    enable: enableWhole({ enable, read, disable }),
    disable,
    ...formsOf(options),
  }
}

function formsOf({ secrets, recoveryCodes, newSecret }: FactorTableOptions) {
  return {
    ...(secrets !== undefined && { secrets: unpadded(secrets) }),
    ...(recoveryCodes !== undefined && { recoveryCodes: unpadded(recoveryCodes) }),
    ...(newSecret !== undefined && { newSecret }),
  }
}

/** Wraps a form, which knows nothing of the spaces with which a column fills texts up. */
function unpadded<Value>(form: StoredForm<Value>): StoredForm<Value> {
  return {
    read: (stored, id) => form.read(readText('secret', stored) ?? stored, id),
    write: (value, id) => form.write(value, id),
  }
}

type Mapped = FactorTableOptions & { readonly columns: FactorColumns }
type ReadFactor = FactorStore['read']

function readerOf(
  { columns, inUsersTable = false }: Mapped,
  rows: TableRows,
  find: FindRows,
): ReadFactor {
  return async (id) => {
    const { own, others } = await find(id)
    const [row, ...further] = own
    // Without a row of this user, a second factor that is spelled differently would be skipped.
    if (further.length > 0 || (row === undefined && others.length > 0)) throw notOneRow(id)
    if (row !== undefined) return isUnfinished(row) ? null : factorOf(row)
    const fault = await hiddenRows(rows, 'without a code, a user in a hidden row could log in')
    if (fault !== null) throw new Error(fault)
    return null
  }

  function isUnfinished(row: Row): boolean {
    // As a time, it would ask for codes that the user has never confirmed.
    // Without a value, such as after a plugin that renames it, nobody would be asked for a code.
    const isMissing = columns.confirmedAt !== undefined && row['confirmedAt'] === undefined
    if (isMissing || readFlag(row['confirmedAt']) === false)
      throw wrong('confirmedAt', 'a time', row['confirmedAt'])
    if (row['confirmedAt'] === null) return true
    return inUsersTable && row['secret'] === null
  }
}

/** Creates the removal, which is also called for the id of a user who may be gone. */
function disablerOf(
  { columns, inUsersTable = false }: Mapped,
  rows: TableRows,
  find: FindRows,
): FactorStore['disable'] {
  const { userId, secret, recoveryCodes, confirmedAt } = columns
  const user: Condition = { column: userId, is: 'equal' }
  const emptied = [secret, recoveryCodes, ...(confirmedAt === undefined ? [] : [confirmedAt])]
  const empty = rows.update(emptied, [user])
  const remove = rows.remove([user])
  return async (id) => {
    const { own, others } = await find(id)
    // The others would lose their second factor, and nobody would notice.
    if (own.length === 0) return
    if (others.length > 0) throw notOneRow(id)
    await (inUsersTable ? empty([...emptied.map(() => null), id]) : remove([id]))
  }
}

/** Reads a factor as it is stored, by which a change finds it again. */
function factorOf(row: Row): StoredFactor {
  return {
    secret: storedText('secret', row['secret']),
    recoveryCodes: storedText('recoveryCodes', row['recoveryCodes']),
    ...(row['devices'] !== undefined && {
      // The drivers return numbers of 64 bits in different types.
      lastStep: row['lastStep'] === null ? null : Number(row['lastStep']),
      devices: storedText('devices', row['devices']),
    }),
  }
}

function timeOf({ columns: { confirmedAt }, timestamp }: Mapped): () => Row {
  return () => {
    if (confirmedAt === undefined) return {}
    const now = new Date()
    return { [confirmedAt]: timestamp?.(now) ?? now }
  }
}

/** Creates `enable` of a table whose rows are second factors. */
function enableInRows(options: Mapped, rows: TableRows, read: ReadFactor): FactorStore['enable'] {
  const { columns, newRow = () => ({}) } = options
  const user: Condition = { column: columns.userId, is: 'equal' }
  const time = timeOf(options)
  const { confirmedAt } = columns
  const removeUnfinished =
    confirmedAt === undefined ? null : rows.remove([user, { column: confirmedAt, is: 'null' }])
  return async (id, factor) => {
    await removeUnfinished?.([id])
    const row = { ...newRow(), ...time(), ...valuesOf(columns, factor), [columns.userId]: id }
    try {
      await rows.insert(Object.keys(row))(Object.values(row))
      return true
    } catch (error) {
      // The key of the table decides which of two concurrent calls enables it.
      if ((await read(id)) !== null) return false
      throw error
    }
  }
}

/** Creates `enable` of columns of the table of users. */
function enableInUsers(options: Mapped, rows: TableRows, find: FindRows): FactorStore['enable'] {
  const { columns } = options
  const user: Condition = { column: columns.userId, is: 'equal' }
  const time = timeOf(options)
  const { confirmedAt } = columns
  const free = [columns.secret, ...(confirmedAt === undefined ? [] : [confirmedAt])]
  return async (id, factor) => {
    const { own, others } = await find(id)
    // Others would get this second factor.
    if (own.length !== 1 || others.length > 0) throw notOneRow(id)
    const set: Row = { ...time(), ...valuesOf(columns, factor) }
    for (const column of free) {
      const change = rows.update(Object.keys(set), [user, { column, is: 'null' }])
      if (isChanged(await change([...Object.values(set), id]))) return true
    }
    return false
  }
}

function valuesOf(
  columns: FactorColumns,
  { secret, recoveryCodes, lastStep, devices }: Parameters<FactorStore['enable']>[1],
): Row {
  return {
    [columns.secret]: secret,
    [columns.recoveryCodes]: recoveryCodes,
    [columns.lastStep]: lastStep,
    ...(devices !== undefined && { [DEVICES]: devices }),
  }
}
