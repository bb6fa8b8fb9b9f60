import { ConfigError } from '../../contracts/errors.ts'
import { HIDES_FROM_READS } from '../../stores/postgres/hidden-rows.ts'
import { withSafeSettings } from './mysql-settings.ts'
import {
  selectedBy,
  TEXT_OF,
  valuesOf,
  withValues,
  type Condition,
  type Row,
  type Search,
  type TableRows,
  type TableShape,
} from './table-rows.ts'

/** A database of Drizzle, on PostgreSQL, MySQL or SQLite. */
export interface DrizzleDatabase {
  select(fields: never): object
  insert(table: never): object
  update(table: never): object
  delete(table: never): object
}

/** Functions of `drizzle-orm`. They are the host's, so that there is one copy of them. */
export interface DrizzleOperators {
  and(...conditions: never[]): unknown
  eq(column: never, value: never): unknown
  inArray(column: never, values: never): unknown
  isNull(column: never): unknown
  sql(texts: TemplateStringsArray, ...values: never[]): unknown
}

/** The methods of Drizzle's builders that the provider uses, for a table that it does not know. */
interface Builder {
  from(table: object): Builder
  /** Missing in older releases, which have no cache. */
  $withCache?(isOn: false): Builder
  where(condition: unknown): Builder & PromiseLike<unknown>
  limit(count: number): PromiseLike<unknown>
  values(row: Row): PromiseLike<unknown>
  set(row: Row): Builder
  /** Returns the changed rows; MySQL has no such method. */
  returning?(fields: object): PromiseLike<readonly unknown[]>
}

type Operators = Readonly<Record<keyof DrizzleOperators, (...values: unknown[]) => unknown>>

/** A table of a Drizzle schema. */
export interface DrizzleSchemaTable {
  readonly table: object
  readonly operators: DrizzleOperators
}

/**
 * Opens a table of a Drizzle schema.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} from a statement: the table has no such column.
 */
export function drizzleRows(
  database: DrizzleDatabase,
  { table, operators }: DrizzleSchemaTable,
  shape: TableShape,
  call: string,
): TableRows {
  // Drizzle types its builders by the columns of the host, which are not known here.
  const on = primaryOf(database as unknown as Database)
  const columnOf = columnsOf(table, call)
  const isMysql = on.delete(table).returning === undefined
  const isPostgres = Object(table).constructor[ENTITY_KIND] === 'PgTable'
  const given = operators as unknown as Operators
  const where = whereBy(given, columnOf)
  const count = counterBy(columnOf(shape.id))
  const fieldsOf = selectionBy(given, columnOf, isPostgres ? 'postgres' : isMysql ? 'mysql' : null)
  const rows: TableRows = {
    find(conditions, search = {}) {
      const { limit } = search
      const fields = fieldsOf(shape, search)
      return async (values) => {
        const query = readFrom(on, table, fields).where(where(conditions, values))
        // The rows have the fields that were selected.
        return (await (limit === undefined ? query : query.limit(limit))) as readonly Row[]
      }
    },
    insert: (columns) => async (values) => on.insert(table).values(valuesOf(columns, values)),
    update: (columns, conditions) => async (values) => {
      const set = on.update(table).set(valuesOf(columns, values))
      return count(set.where(where(conditions, values.slice(columns.length))))
    },
    remove: (conditions) => async (values) =>
      count(on.delete(table).where(where(conditions, values))),
    ...(isPostgres && { readRowSecurity: async () => rowSecurityOf(on, table, given) }),
  }
  if (!isMysql) return rows
  return withSafeSettings(rows, async (value) => settingsOf(on, table, given, value))
}

/** Reads the settings of MySQL. An aggregate returns a row for an empty table, too. */
async function settingsOf(
  on: Pick<Database, 'select'>,
  table: object,
  { sql }: Pick<Operators, 'sql'>,
  value: string,
): Promise<readonly Row[]> {
  const fields = {
    autocommit: sql(AUTOCOMMIT),
    echo: sql(ECHO, value),
    count: sql(COUNT_ALL),
  }
  return (await readFrom(on, table, fields).where(sql(FALSE))) as readonly Row[]
}

/** Creates the function that lists the fields of a search. */
function selectionBy(
  { sql }: Operators,
  columnOf: (name: string) => unknown,
  server: 'postgres' | 'mysql' | null,
) {
  return (shape: TableShape, search: Search): object => {
    const fields = selectedBy(shape, search).map(([property, name]) => {
      const column = columnOf(name)
      if (property.startsWith(TEXT_OF))
        return [property, sql(server === 'mysql' ? AS_CHAR : AS_TEXT, column)]
      // PostgreSQL fills `char(n)` up with spaces. Columns of Drizzle convert their values.
      const isCast = server === 'postgres' && shape.asText.has(property)
      return [property, isCast ? Object(sql(AS_TEXT, column)).mapWith(column) : column]
    })
    return Object.fromEntries(fields)
  }
}

type Database = Readonly<Record<keyof DrizzleDatabase, (given: object) => Builder>>

/**
 * Returns the primary of a database with replicas (`withReplicas`). A replica may be late: it would
 * admit a user who was blocked just now, or without a second factor that was just enabled.
 */
function primaryOf(database: Database & { readonly $primary?: Database }): Database {
  return database.$primary ?? database
}

/** Begins a read of the table itself, and not of the cache of the host, which may be as late. */
function readFrom(on: Pick<Database, 'select'>, table: object, fields: object): Builder {
  const query = on.select(fields).from(table)
  return query.$withCache?.(false) ?? query
}

/** Drizzle's names of what a table has, which do not depend on the copy of the package. */
const ENTITY_KIND = Symbol.for('drizzle:entityKind')
const NAME = Symbol.for('drizzle:Name')
const SCHEMA = Symbol.for('drizzle:Schema')

/** Reads the row level security of a table. An aggregate returns a row for an empty table, too. */
async function rowSecurityOf(
  on: Pick<Database, 'select'>,
  table: object,
  { sql }: Pick<Operators, 'sql'>,
): Promise<Row | undefined> {
  const { [SCHEMA]: schema, [NAME]: name } = table as Readonly<Record<symbol, string | undefined>>
  const parts = [schema, name].flatMap((part) => part ?? [])
  // A name may have a dot of its own.
  const quoted = parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
  const fields = {
    hiding: sql(HIDING, quoted),
    role: sql(ROLE),
    count: sql(COUNT_ALL),
  }
  const [found] = (await readFrom(on, table, fields).where(sql(FALSE))) as readonly Row[]
  return found && { table: parts.join('.'), ...found }
}

/** Creates the look-up of a column by its property. */
function columnsOf(table: object, call: string): (property: string) => unknown {
  const columns = new Map<string, unknown>(Object.entries(table))
  return (property) => {
    const column = columns.get(property)
    if (column !== undefined) return column
    // Drizzle has the columns of a view behind a proxy, and builds no changes of a view.
    const isOfView = Reflect.get(table, property) !== undefined
    const remedy = isOfView ? '; declare the view as a table' : ''
    throw new ConfigError(`${call}: the table has no ${property}${remedy}`)
  }
}

function whereBy(
  { and, eq, inArray, isNull, sql }: Operators,
  columnOf: (name: string) => unknown,
) {
  return (conditions: readonly Condition[], values: readonly unknown[]): unknown => {
    const each = withValues(conditions, values).map(({ column: name, is, value }) => {
      const column = columnOf(name)
      switch (is) {
        case 'equal':
        case 'same':
          return eq(column, value)
        case 'lower-case':
          return sql(LOWER, column, value)
        case 'one-of':
          return inArray(column, value)
        case 'null':
          return isNull(column)
        case 'equal-or-null':
          return sql(EITHER, eq(column, value), isNull(column))
        case 'less-or-null':
          return sql(EITHER, sql(LESS, column, value), isNull(column))
      }
    })
    return and(...each)
  }
}

const LOWER = templateOf('lower(', ') = ', '')
const LESS = templateOf('', ' < ', '')
const EITHER = templateOf('(', ' or ', ')')
const AUTOCOMMIT = templateOf('@@autocommit')
const ECHO = templateOf('hex(', ')')
const AS_CHAR = templateOf('cast(', ' as char)')
const AS_TEXT = templateOf('cast(', ' as text)')
const HIDING = templateOf(HIDES_FROM_READS[0], `${HIDES_FROM_READS[1]}::text`)
const ROLE = templateOf('current_user')
const COUNT_ALL = templateOf('count(*)')
const FALSE = templateOf('false')

/** Returns the texts around the values of an expression, as a tagged template has them. */
function templateOf(...texts: readonly string[]): TemplateStringsArray {
  return Object.assign([...texts], { raw: texts })
}

/**
 * Creates what returns the number of changed rows. Each of Drizzle's drivers reports it in another
 * form.
 *
 * @param id The only column that is read: the database may lack others that the table declares.
 */
function counterBy(id: unknown) {
  return async (change: Builder & PromiseLike<unknown>): Promise<number> => {
    if (change.returning !== undefined) return (await change.returning({ id })).length
    const [header] = (await change) as readonly [{ readonly affectedRows: number }]
    return header.affectedRows
  }
}
