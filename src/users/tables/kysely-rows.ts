import {
  MATCHES,
  selectedBy,
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

/** The methods of Kysely's builders that the provider uses, for tables that it does not know. */
interface Builder {
  select(list: (builder: ExpressionBuilder) => readonly unknown[]): Builder
  where(column: string, operator: string, value: unknown): Builder
  where(condition: (builder: ExpressionBuilder) => unknown): Builder
  values(row: Row): Builder
  set(row: Row): Builder
  limit(count: number): Builder
  execute(): Promise<readonly Row[]>
  executeTakeFirst(): Promise<Changed | undefined>
}

interface ExpressionBuilder {
  (left: unknown, operator: string, value: unknown): unknown
  ref(column: string): Aliasable
  readonly fn: {
    (name: string, values: readonly string[]): unknown
    countAll(): { over(): Aliasable }
  }
  or(conditions: readonly unknown[]): unknown
}

interface Aliasable {
  as(property: string): unknown
}

interface Changed {
  readonly numUpdatedRows?: bigint
  readonly numDeletedRows?: bigint
}

/** Opens a table that Kysely queries. */
export function kyselyRows(database: KyselyDatabase, { table, ...shape }: NamedTable): TableRows {
  // Kysely types its builders by the tables of the host, which are not known here.
  const on = database as unknown as Readonly<
    Record<keyof KyselyDatabase, (name: string) => Builder>
  >
  return {
    find(conditions, search = {}) {
      const { limit, isCounted = false } = search
      const columns = selectedBy(shape, search)
      return async (values) => {
        const query = filtered(on.selectFrom(table), conditions, values).select((builder) => [
          ...columns.map(([property, column]) => builder.ref(column).as(property)),
          ...(isCounted ? [builder.fn.countAll().over().as(MATCHES)] : []),
        ])
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
  }
}

function filtered(
  query: Builder,
  conditions: readonly Condition[],
  values: readonly unknown[],
): Builder {
  let narrowed = query
  for (const { column, is, value } of withValues(conditions, values)) {
    switch (is) {
      case 'equal':
      case 'same':
        narrowed = narrowed.where(column, '=', value)
        break
      case 'lower-case':
        narrowed = narrowed.where((builder) => builder(builder.fn('lower', [column]), '=', value))
        break
      case 'one-of':
        narrowed = narrowed.where(column, 'in', value)
        break
      case 'null':
        narrowed = narrowed.where(column, 'is', null)
        break
      case 'equal-or-null':
      case 'less-or-null':
        narrowed = narrowed.where((builder) =>
          builder.or([
            builder(column, is === 'less-or-null' ? '<' : '=', value),
            builder(column, 'is', null),
          ]),
        )
        break
    }
  }
  return narrowed
}
