import { withValues, type Condition, type Row } from './table-rows.ts'

/** Creates what turns conditions into Prisma's. Texts are converted to the types of the fields. */
export function prismaWhere(fields: Readonly<Record<string, unknown>>) {
  return (
    conditions: readonly Condition[],
    values: readonly unknown[],
    { canBeNull }: { readonly canBeNull: boolean },
  ): Row => {
    const orNull = (column: string, condition: unknown): Row =>
      canBeNull ? { OR: [{ [column]: condition }, { [column]: null }] } : { [column]: condition }
    const each = withValues(conditions, values).map(({ column, is, value }): Row => {
      const isInteger = INTEGERS.has(typeOf(fields[column]))
      switch (is) {
        case 'equal':
        case 'same':
          return { [column]: isInteger ? { in: integersOf(value, fields[column]) } : value }
        case 'lower-case':
          return { [column]: { equals: escaped(String(value)), mode: 'insensitive' } }
        case 'one-of':
          return { [column]: { in: isInteger ? integersOf(value, fields[column]) : value } }
        case 'null':
          return { [column]: null }
        case 'equal-or-null':
          return orNull(column, value)
        case 'less-or-null':
          return orNull(column, { lt: value })
      }
    })
    return { AND: each }
  }
}

/** Escapes the wildcards of `ILIKE`, which is what Prisma makes of an insensitive comparison. */
function escaped(value: string): string {
  return value.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** Returns Prisma's name of a field's type. */
function typeOf(field: unknown): unknown {
  return Object(field).typeName
}

const INTEGERS: ReadonlySet<unknown> = new Set(['Int', 'BigInt'])

/** Converts texts to the type of an integer field. Those that it cannot hold are left out. */
function integersOf(value: unknown, field: unknown): readonly unknown[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const integers = given.flatMap((one) =>
    /^-?\d{1,19}$/.test(String(one)) ? [BigInt(String(one))] : [],
  )
  const isInt = typeOf(field) === 'Int'
  const fitting = integers.filter((one) => BigInt.asIntN(isInt ? 32 : 64, one) === one)
  return isInt ? fitting.map(Number) : fitting
}
