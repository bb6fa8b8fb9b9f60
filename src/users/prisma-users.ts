import type { JsonObject } from '../contracts.ts'
import { ConfigError } from '../errors.ts'
import { checkOptions } from './check-options.ts'
import type { UserTableOptions, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'
import {
  valuesOf,
  withValues,
  type Condition,
  type Row,
  type TableShape,
  type UserRows,
} from './user-rows.ts'

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
  findMany(query: { select: Row; where: Row }): PromiseLike<readonly Row[]>
  create(query: { data: Row; select: Row }): PromiseLike<unknown>
  updateMany(query: { data: Row; where: Row }): PromiseLike<{ readonly count: number }>
  deleteMany(query: { where: Row }): PromiseLike<{ readonly count: number }>
}

/**
 * Creates the users of a model of a Prisma client. Columns are named by the fields of the model.
 *
 * @param model Such as `prisma.user`.
 * @throws {ConfigError} An option is unknown or missing, or the model has no such field.
 *
 * @example
 * ```ts
 * const users = prismaUsers(prisma.user, {
 *   columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password' },
 * })
 * ```
 */
export function prismaUsers<
  Field extends string,
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
>(
  model: PrismaModel<Field>,
  options: UserTableOptions<Other, NoInfer<Field>, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  checkOptions('prismaUsers', options, [])
  // Prisma types its queries by the fields of the host, which are not known here.
  return tableUsers(options, (shape) => rowsOf(model as unknown as Model, shape))
}

function rowsOf(model: Model, { id, selected }: TableShape): UserRows {
  for (const field of selected.values())
    if (!(field in model.fields)) throw new ConfigError(`prismaUsers: the model has no ${field}`)
  const where = whereBy(id, typeOf(model.fields[id]))
  const select = Object.fromEntries(Array.from(selected.values(), (field) => [field, true]))
  const renamed = (row: Row): Row =>
    Object.fromEntries(Array.from(selected, ([property, field]) => [property, row[field]]))
  return {
    find: (conditions) => async (values) =>
      (await model.findMany({ select, where: where(conditions, values) })).map(renamed),
    insert: (fields) => async (values) =>
      model.create({ data: valuesOf(fields, values), select: { [id]: true } }),
    update: (fields, conditions) => async (values) => {
      const data = valuesOf(fields, values)
      const rest = where(conditions, values.slice(fields.length))
      return (await model.updateMany({ data, where: rest })).count
    },
    remove: (conditions) => async (values) =>
      (await model.deleteMany({ where: where(conditions, values) })).count,
  }
}

/** Returns Prisma's name of a field's type. */
function typeOf(field: unknown): unknown {
  return Object(field).typeName
}

function whereBy(id: string, type: unknown) {
  return (conditions: readonly Condition[], values: readonly unknown[]): Row => {
    const each = withValues(conditions, values).map(({ column, is, value }): Row => {
      const given = column === id ? idsOf(value, type) : value
      switch (is) {
        case 'equal':
        case 'same':
          return { [column]: column === id ? { in: given } : given }
        case 'lower-case':
          return { [column]: { equals: given, mode: 'insensitive' } }
        case 'one-of':
          return { [column]: { in: given } }
        case 'null':
          return { [column]: null }
      }
    })
    return { AND: each }
  }
}

/** Converts ids to the type of the model's field. Those that it cannot hold are left out. */
function idsOf(value: unknown, type: unknown): readonly unknown[] {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (type !== 'Int' && type !== 'BigInt') return ids
  const integers = ids.flatMap((id) =>
    /^-?\d{1,19}$/.test(String(id)) ? [BigInt(String(id))] : [],
  )
  const fitting = integers.filter((id) => BigInt.asIntN(type === 'Int' ? 32 : 64, id) === id)
  return type === 'Int' ? fitting.map(Number) : fitting
}
