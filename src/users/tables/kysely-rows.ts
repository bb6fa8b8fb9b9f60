import type { ExpressionBuilder, Kysely, KyselyPlugin, WhereInterface } from 'kysely'
import { ConfigError } from '../../contracts/errors.ts'
import { ROW_SECURITY } from '../../stores/postgres/hidden-rows.ts'
import { withSafeSettings } from './mysql-settings.ts'
import {
  selectedBy,
  TEXT_OF,
  valuesOf,
  withValues,
  type Condition,
  type NamedTable,
  type Row,
  type TableRows,
} from './table-rows.ts'

/** A `Kysely` of any dialect and any tables. */
export interface KyselyDatabase {
  selectFrom(table: never): object
  insertInto(table: never): object
  updateTable(table: never): object
  deleteFrom(table: never): object
}

/** The tables of the host, which are not known here. */
type Tables = Record<string, Record<string, unknown>>

/**
 * Returns a database without the plugin of Kysely that parses texts which look like JSON: a factor
 * is compared with the text that was read.
 */
export function withPlainTexts(database: KyselyDatabase): KyselyDatabase {
  const on = database as unknown as Kysely<Tables>
  const { plugins = [] } = Object(database).getExecutor?.() ?? {}
  const others = (plugins as readonly KyselyPlugin[]).filter(
    (plugin) => plugin.constructor.name !== 'ParseJSONResultsPlugin',
  )
  if (others.length === plugins.length) return database
  return others.reduce((narrowed, plugin) => narrowed.withPlugin(plugin), on.withoutPlugins())
}

/**
 * Opens a table that Kysely queries.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} The database does not tell its dialect.
 */
export function kyselyRows(database: KyselyDatabase, named: NamedTable, call: string): TableRows {
  const on = database as unknown as Kysely<Tables>
  const { adapter } = Object(database).getExecutor?.() ?? {}
  // The checks that keep out values as SQL, and find hidden rows, depend on the database.
  if (adapter === undefined)
    throw new ConfigError(`${call}: give a Kysely, not an object around it`)
  const isMysql = adapter.supportsReturning === false
  const rows = rowsOf(on, named, { adapter, isMysql })
  if (!isMysql) return rows
  return withSafeSettings(rows, async (value) => {
    // The dialect of the host writes the placeholder.
    const echo = on.selectNoFrom((eb) => eb.fn('hex', [eb.val(value)]).as('echo')).compile()
    const sql = echo.sql.replace('select ', 'select @@autocommit as autocommit, ')
    return (await on.executeQuery<Row>({ ...echo, sql })).rows
  })
}

interface KyselyDialect {
  readonly adapter: Readonly<Record<string, unknown>>
  readonly isMysql: boolean
}

function rowsOf(
  on: Kysely<Tables>,
  { table, ...shape }: NamedTable,
  { adapter, isMysql }: KyselyDialect,
): TableRows {
  const isPostgres = adapter.supportsReturning === true && adapter.supportsTransactionalDdl === true
  return {
    find(conditions, search = {}) {
      const { limit } = search
      const columns = selectedBy(shape, search)
      const type = isMysql ? 'char' : 'text'
      return async (values) => {
        const query = filtered(on.selectFrom(table), conditions, values).select((builder) =>
          columns.map(([property, column]) => {
            // PostgreSQL fills `char(n)` up with spaces.
            const isCast =
              property.startsWith(TEXT_OF) || (isPostgres && shape.asText.has(property))
            return (isCast ? builder.cast(column, type) : builder.ref(column)).as(property)
          }),
        )
        return (limit === undefined ? query : query.limit(limit)).execute()
      }
    },
    insert: (columns) => async (values) =>
      on.insertInto(table).values(valuesOf(columns, values)).execute(),
    update: (columns, conditions) => async (values) => {
      const set = on.updateTable(table).set(valuesOf(columns, values))
      const changed = filtered(set, conditions, values.slice(columns.length))
      return Number((await changed.executeTakeFirst())?.numUpdatedRows ?? 0)
    },
    remove: (conditions) => async (values) => {
      const changed = filtered(on.deleteFrom(table), conditions, values)
      return Number((await changed.executeTakeFirst())?.numDeletedRows ?? 0)
    },
    ...(isPostgres && { readRowSecurity: async () => rowSecurityOf(on, table) }),
  }
}

/** Reads the row level security of a table. */
async function rowSecurityOf(on: Kysely<Tables>, table: string): Promise<Row | undefined> {
  const all = on.selectFrom(table).selectAll().compile()
  // Plugins may change the name, and add a schema.
  const name = all.sql.replace(/^.*? from /, '')
  const { rows } = await on.executeQuery<Row>({ ...all, sql: ROW_SECURITY, parameters: [name] })
  const [found] = rows
  return found && { table, ...found }
}

function filtered<Query extends WhereInterface<Tables, string>>(
  query: Query,
  conditions: readonly Condition[],
  values: readonly unknown[],
): Query {
  // Each `where` returns the kind of builder that it was called on.
  return withValues(conditions, values).reduce(
    (narrowed, one) => narrowed.where((builder) => expressionOf(builder, one)) as Query,
    query,
  )
}

function expressionOf(
  builder: ExpressionBuilder<Tables, string>,
  { column, is, value }: Condition & { readonly value: unknown },
) {
  switch (is) {
    case 'equal':
    case 'same':
      return builder(column, '=', value)
    case 'lower-case':
      return builder(builder.fn('lower', [column]), '=', value)
    case 'one-of':
      return builder(column, 'in', value)
    case 'null':
      return builder(column, 'is', null)
    case 'equal-or-null':
    case 'less-or-null':
      return builder.or([
        builder(column, is === 'less-or-null' ? '<' : '=', value),
        builder(column, 'is', null),
      ])
  }
}
