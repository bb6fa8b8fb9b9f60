import { ConfigError } from '../../contracts/errors.ts'
import { prismaWhere } from './prisma-where.ts'
import { readId } from './row-values.ts'
import {
  MAX_NAMESAKES,
  selectedBy,
  valuesOf,
  type Condition,
  type Row,
  type Search,
  type TableRows,
  type TableShape,
} from './table-rows.ts'

/** A model of a Prisma client, such as `prisma.user`. */
export interface PrismaModel<Field extends string = string> {
  readonly fields: Readonly<Record<Field, unknown>>
  findMany(query: never): PromiseLike<unknown>
  create(query: never): PromiseLike<unknown>
  updateMany(query: never): PromiseLike<{ readonly count: number }>
  deleteMany(query: never): PromiseLike<{ readonly count: number }>
}

/** The model, for fields that are not known here. */
interface Model extends Pick<PrismaModel, 'fields'> {
  findMany(query: { select: Row; where: Row; take?: number }): PromiseLike<readonly Row[]>
  create(query: { data: Row; select: Row }): PromiseLike<unknown>
  updateMany(query: { data: Row; where: Row }): PromiseLike<{ readonly count: number }>
  deleteMany(query: { where: Row }): PromiseLike<{ readonly count: number }>
}

/** Settings of a table of Prisma. */
export interface PrismaSettings {
  readonly call: string
  /** Finds rows by a text in lower case. Default: `ILIKE`. */
  readonly rowsByLowerEmail?: ((email: string) => PromiseLike<unknown>) | null
}

/**
 * Opens the table of a model of a Prisma client.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} The model has no such field.
 */
export function prismaRows(
  client: PrismaModel,
  shape: TableShape,
  { call, rowsByLowerEmail = null }: PrismaSettings,
): TableRows {
  // Prisma types its queries by the fields of the host, which are not known here.
  const model = client as unknown as Model
  const { id, selected } = shape
  for (const field of selected.values())
    if (!(field in model.fields)) throw new ConfigError(`${call}: the model has no ${field}`)
  const where = prismaWhere(model.fields)
  const withNull = nullsWherePossible()
  return {
    find(conditions, search = {}) {
      const find = finderOf(model, { id, columns: selectedBy(shape, search) }, search)
      return async (values) => {
        const [first, ...rest] = conditions
        if (first?.is !== 'lower-case' || !rowsByLowerEmail)
          return withNull(conditions, (nulls) => find(where(conditions, values, nulls)))
        const ids = idsFrom(await rowsByLowerEmail(String(values[0])))
        const all: readonly Condition[] = [{ column: id, is: 'one-of' }, ...rest]
        return withNull(all, (nulls) => find(where(all, [ids, ...values.slice(1)], nulls)))
      }
    },
    insert: (fields) => async (values) =>
      model.create({ data: valuesOf(fields, values), select: { [id]: true } }),
    update: (fields, conditions) => async (values) => {
      const data = valuesOf(fields, values)
      const others = values.slice(fields.length)
      return withNull(conditions, async (nulls) => {
        const { count } = await model.updateMany({ data, where: where(conditions, others, nulls) })
        return count
      })
    },
    remove: (conditions) => async (values) =>
      withNull(conditions, async (nulls) => {
        const { count } = await model.deleteMany({ where: where(conditions, values, nulls) })
        return count
      }),
  }
}

/** Throws the remedy where the database has no comparison that ignores case, such as SQLite. */
function throwWithoutMode(error: unknown): never {
  if (!/Unknown argument `mode`/.test(String(error))) throw error
  throw new ConfigError(
    'prismaUsers: `ignoreEmailCase` needs `rowsByLowerEmail` on this database, as docs/users.md, "Prisma", shows',
  )
}

/**
 * Creates the calls of queries that also ask for `null`. Prisma refuses that for a field that is
 * required, and does not tell which are.
 */
function nullsWherePossible() {
  let canBeNull = true
  return async <T>(
    conditions: readonly Condition[],
    query: (nulls: { readonly canBeNull: boolean }) => PromiseLike<T>,
  ): Promise<T> => {
    if (!canBeNull) return query({ canBeNull })
    try {
      return await query({ canBeNull })
    } catch (error) {
      const asksForNull = conditions.some(({ is }) => is.endsWith('-or-null'))
      if (!asksForNull || Object(error).name !== 'PrismaClientValidationError') throw error
      const found = await query({ canBeNull: false })
      canBeNull = false
      return found
    }
  }
}

/** Creates a search for fields of the model. */
function finderOf(
  model: Model,
  { id, columns }: { readonly id: string; readonly columns: ReturnType<typeof selectedBy> },
  { limit }: Search,
) {
  const select = Object.fromEntries(columns.map(([, field]) => [field, true]))
  // Prisma does not tell an id that `char(n)` has filled up from one that ends with a space.
  const valueOf = (row: Row, field: string) =>
    field === id && String(row[field]).endsWith(' ') ? null : row[field]
  const renamed = (row: Row): Row =>
    Object.fromEntries(columns.map(([property, field]) => [property, valueOf(row, field)]))
  return async (where: Row): Promise<readonly Row[]> => {
    const query = { select, where, ...(limit !== undefined && { take: limit }) }
    const rows = await model.findMany(query).then(null, throwWithoutMode)
    return rows.map(renamed)
  }
}

/** Reads the ids that the host's own statement returned. */
function idsFrom(rows: unknown): readonly string[] {
  if (!Array.isArray(rows)) throw new TypeError('rowsByLowerEmail must return a list of rows')
  return rows.slice(0, MAX_NAMESAKES + 1).map((row) => readId(Object(row).id))
}
