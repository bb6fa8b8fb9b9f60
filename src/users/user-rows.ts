import type { Awaitable } from '../contracts.ts'

/** A row with the properties of a user, as the driver returns their values. */
export type Row = Readonly<Record<string, unknown>>

/** A condition on one column. Every kind except `null` takes one value. */
export interface Condition {
  readonly column: string
  /**
   * `equal` as the column's collation has it, `same` byte for byte where the database can compare
   * so, `lower-case` after folding the column, `one-of` a list of values, or `null`.
   */
  readonly is: 'equal' | 'same' | 'lower-case' | 'one-of' | 'null'
}

/** The columns of a users table, by the properties of a user. */
export interface TableShape {
  /** The column of the id. */
  readonly id: string
  /** The columns that a user is read from, by property. */
  readonly selected: ReadonlyMap<string, string>
}

/**
 * Runs prepared statements on a users table. Values follow the order of the columns, then of the
 * conditions.
 */
export interface UserRows {
  /**
   * Prepares a search.
   *
   * @param isUnique `true`: at most one row fulfils the conditions. Default: false.
   */
  find(
    conditions: readonly Condition[],
    isUnique?: boolean,
  ): (values: readonly unknown[]) => Awaitable<readonly Row[]>
  insert(columns: readonly string[]): (values: readonly unknown[]) => Awaitable<unknown>
  /** Prepares a change, which returns the number of rows that fulfilled the conditions. */
  update(
    columns: readonly string[],
    conditions: readonly Condition[],
  ): (values: readonly unknown[]) => Awaitable<number>
  remove(conditions: readonly Condition[]): (values: readonly unknown[]) => Awaitable<number>
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
