import type { Awaitable } from '../../contracts/host.ts'
import {
  selectedBy,
  type Condition,
  type NamedTable,
  type Row,
  type Search,
  type TableShape,
  type TableRows,
} from './table-rows.ts'

/** The differences between the databases. */
export interface Dialect {
  readonly quote: '"' | '`'
  readonly placeholder: (number: number) => string
  /** Casts a column to text, so that no driver rounds a large id. */
  readonly asText: (column: string) => string
  /** Casts an id to text; `null` for bytes that are no text. Default: `asText`. */
  readonly idAsText?: (column: string) => string
  /** Compares a text byte for byte, whatever the column's collation is. */
  readonly isSame: (column: string, value: string) => string
  /** Compares with a list that is one value; `null`: each of its values has a placeholder. */
  readonly isAny: ((column: string, value: string) => string) | null
  /**
   * The limit of a query of all rows, where a setting of the server limits those that name none.
   */
  readonly noLimit?: string
}

/** Prepares single statements of a database, each with its first use. */
export interface SqlRunner {
  readonly all: (text: string) => (values: readonly unknown[]) => Awaitable<readonly Row[]>
  /** Prepares a statement that has no deadline, where others have one. Default: `all`. */
  readonly unhurried?: SqlRunner['all']
  /** The statement returns the number of rows that fulfilled the conditions. */
  readonly run: (text: string) => (values: readonly unknown[]) => Awaitable<number>
}

/** Builds the statements on a table. Values are parameters, and never part of the text. */
export function sqlRows(
  { table, ...shape }: NamedTable,
  dialect: Dialect,
  { all, unhurried = all, run }: SqlRunner,
): TableRows {
  const quoted = quotedBy(dialect)
  const name = tableName(table, dialect)
  const where = whereBy(dialect)
  return {
    find(conditions, search = {}) {
      const select = `select ${listOf(shape, search, dialect)} from ${name}`
      const { limit = dialect.noLimit, isOfAllRows = false } = search
      const end = limit === undefined ? '' : ` limit ${limit}`
      if (dialect.isAny === null && conditions.some(({ is }) => is === 'one-of')) {
        return (values) => {
          const { size, flat } = expanded(values)
          return all(select + where(conditions, { size }) + end)(flat)
        }
      }
      const prepare = isOfAllRows ? unhurried : all
      return prepare(select + where(conditions) + end)
    },
    insert(columns) {
      const values = columns.map((_, index) => dialect.placeholder(index + 1))
      const names = columns.map(quoted).join(', ')
      return run(`insert into ${name} (${names}) values (${values.join(', ')})`)
    },
    update(columns, conditions) {
      const set = columns.map((one, index) => `${quoted(one)} = ${dialect.placeholder(index + 1)}`)
      const rest = where(conditions, { from: columns.length + 1 })
      return run(`update ${name} set ${set.join(', ')}${rest}`)
    },
    remove(conditions) {
      return run(`delete from ${name}${where(conditions)}`)
    },
    execute: (text) => run(text)([]),
  }
}

/** Returns the columns of a query, by property. */
function listOf(shape: TableShape, search: Search, dialect: Dialect): string {
  const quoted = quotedBy(dialect)
  const list = selectedBy(shape, search).map(([property, column]) => {
    const { asText, idAsText = asText } = dialect
    const cast = property === 'id' ? idAsText : asText
    const value = shape.asText.has(property) ? cast(quoted(column)) : quoted(column)
    return `${value} as ${quoted(property)}`
  })
  return list.join(', ')
}

/** Returns the quoted name of a table, with its schema if it has one. */
export function tableName(table: string, dialect: Pick<Dialect, 'quote'>): string {
  return table.split('.').map(quotedBy(dialect)).join('.')
}

/** Creates the quoting of names. */
export function quotedBy({ quote }: Pick<Dialect, 'quote'>): (name: string) => string {
  return (name) => {
    // The options were checked at the start; the columns of `newRow` were not.
    if (/["'`\0]/.test(name)) throw new Error('newRow: give the names of columns without quotes')
    return `${quote}${name}${quote}`
  }
}

interface Numbering {
  /** The number of the first placeholder. Default: 1. */
  readonly from?: number
  /** The number of placeholders of `one-of`. Default: 1. */
  readonly size?: number
}

/** Creates what turns conditions into the clause of a statement. */
function whereBy(dialect: Dialect) {
  const quoted = quotedBy(dialect)
  return (conditions: readonly Condition[], { from = 1, size = 1 }: Numbering = {}): string => {
    let number = from
    const next = () => dialect.placeholder(number++)
    const texts = conditions.map(({ column, is }) => {
      const name = quoted(column)
      switch (is) {
        case 'equal':
          return `${name} = ${next()}`
        case 'same':
          return dialect.isSame(name, next())
        case 'lower-case':
          return `lower(${name}) = ${next()}`
        case 'one-of':
          return (
            dialect.isAny?.(name, next()) ??
            `${name} in (${Array.from({ length: size }, next).join(', ')})`
          )
        case 'null':
          return `${name} is null`
        case 'equal-or-null':
          return `(${name} = ${next()} or ${name} is null)`
        case 'less-or-null':
          return `(${name} < ${next()} or ${name} is null)`
      }
    })
    return texts.length === 0 ? '' : ` where ${texts.join(' and ')}`
  }
}

/**
 * Replaces a list by its values, the last of them repeated up to a power of two: else each length
 * would be a statement of its own, which the driver keeps.
 */
function expanded(values: readonly unknown[]) {
  let size = 1
  const flat = values.flatMap((value): readonly unknown[] => {
    if (!Array.isArray(value)) return [value]
    while (size < value.length) size *= 2
    return Array.from({ length: size }, (_, index): unknown => value[index] ?? value.at(-1))
  })
  return { size, flat }
}
