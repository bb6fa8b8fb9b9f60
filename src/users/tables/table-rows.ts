import type { Awaitable } from '../../contracts/host.ts'

/** A row, by property, as the driver returns its values. */
export type Row = Readonly<Record<string, unknown>>

/** A condition on one column. Every kind except `null` takes one value. */
export interface Condition {
  readonly column: string
  /**
   * `equal` as the column's collation has it, `same` byte for byte where the rows can compare so,
   * `lower-case` after folding the column, `one-of` a list of values, `null`, or `equal-or-null`;
   * `less-or-null` for a number.
   */
  readonly is:
    | 'equal'
    | 'same'
    | 'lower-case'
    | 'one-of'
    | 'null'
    | 'equal-or-null'
    | 'less-or-null'
}

/** The columns of a table, by property. */
export interface TableShape {
  /** The column of the id. */
  readonly id: string
  /** The columns that are read, by property. */
  readonly selected: ReadonlyMap<string, string>
  /** The properties that are cast to text, where the statements can. */
  readonly asText: ReadonlySet<string>
}

/** A table that SQL names. */
export interface NamedTable extends TableShape {
  /** The name, with its schema where needed. */
  readonly table: string
}

/** The rows and columns that a search returns. */
export interface Search {
  /** Default: all that are selected. */
  readonly properties?: readonly string[]
  /** The maximum number of rows. Default: all. */
  readonly limit?: number
  /** `true`: a command reads the whole table, which may take longer than a request. */
  readonly isOfAllRows?: boolean
}

/**
 * Runs prepared statements on a table. Values follow the order of the columns, then of the
 * conditions.
 */
export interface TableRows {
  find(
    conditions: readonly Condition[],
    search?: Search,
  ): (values: readonly unknown[]) => Awaitable<readonly Row[]>
  insert(columns: readonly string[]): (values: readonly unknown[]) => Awaitable<unknown>
  /**
   * Prepares a change, which returns the number of rows that fulfilled the conditions. It is not a
   * number where a handle of the host does not tell.
   */
  update(
    columns: readonly string[],
    conditions: readonly Condition[],
  ): (values: readonly unknown[]) => Awaitable<number>
  remove(conditions: readonly Condition[]): (values: readonly unknown[]) => Awaitable<number>
  /** Runs a statement as it is, such as one that creates the table; SQL only. */
  execute?(text: string): Awaitable<unknown>
  /**
   * Reads whether the role of the connections may not see every row, as the text `hiding`, and the
   * names of `table` and `role`; PostgreSQL only.
   */
  readonly readRowSecurity?: () => Promise<Row | undefined>
  /** Returns a warning if a column of times is read in the time zone of this process, or `null`. */
  readonly localTimesOf?: (column: string) => Promise<string | null>
}

/** The prefix of a property that holds the text of another column. */
export const TEXT_OF = 'svcTextOf'

/** At most so many rows are searched for the only one that has exactly an email. */
export const MAX_NAMESAKES = 20

/** Returns the properties that a search reads, with their columns. */
export function selectedBy(
  { selected }: Pick<TableShape, 'selected'>,
  { properties }: Search,
): readonly (readonly [property: string, column: string])[] {
  const all = [...selected]
  return properties === undefined ? all : all.filter(([property]) => properties.includes(property))
}

/** Pairs the conditions with their values. */
export function withValues(
  conditions: readonly Condition[],
  values: readonly unknown[],
): readonly (Condition & { readonly value: unknown })[] {
  let next = 0
  return conditions.map((condition) => ({
    ...condition,
    value: condition.is === 'null' ? null : values[next++],
  }))
}

/** Pairs columns with the values that they are set to. */
export function valuesOf(columns: readonly string[], values: readonly unknown[]): Row {
  return Object.fromEntries(columns.map((column, index) => [column, values[index]]))
}
