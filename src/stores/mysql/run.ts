import { StoreError } from '../../contracts/errors.ts'
import type { QueryResult } from '../sql/server-stores.ts'
import type { MysqlClient } from './lent-connection.ts'

/** The values that the stores bind. */
export type MysqlValue = string | number | null

/** A statement with its values as `?`. */
export interface Statement {
  readonly text: string
  /** A duplicate of a key or of a column changes nothing, and is not an error. */
  readonly skipsDuplicates: boolean
}

/** Creates a statement. */
export function statement(text: string): Statement {
  return { text, skipsDuplicates: false }
}

/**
 * Creates an INSERT that changes nothing if the key exists, or an ALTER that adds a column unless
 * it exists. `INSERT IGNORE` would also ignore texts that are too long, and the count of `ON
 * DUPLICATE KEY UPDATE` depends on the flags of the driver. MySQL has no `ADD COLUMN IF NOT
 * EXISTS`.
 */
export function once(text: string): Statement {
  return { text, skipsDuplicates: true }
}

/** The result of a statement. */
export interface MysqlResult<Row> extends QueryResult<Row> {
  /** The argument of `LAST_INSERT_ID` in a statement that changed one row; otherwise 0. */
  readonly insertId: number
}

const DUPLICATE_KEY = 1062
const DUPLICATE_COLUMN = 1060
const DUPLICATES: ReadonlySet<number | null> = new Set([DUPLICATE_KEY, DUPLICATE_COLUMN])

/** Runs a statement. The type of its rows is the caller's claim about what it selects. */
export async function run<Row>(
  client: Pick<MysqlClient, 'execute'>,
  { text, skipsDuplicates }: Statement,
  values: readonly MysqlValue[],
): Promise<MysqlResult<Row>> {
  try {
    const [result] = await client.execute({ sql: text, values: values.map(bound), ...READING })
    return resultOf<Row>(result)
  } catch (error) {
    if (skipsDuplicates && DUPLICATES.has(errorNumberOf(error))) return NOTHING
    throw error
  }
}

const NOTHING = { rows: [], count: 0, insertId: 0 } as const

/** Returns the number of an error of the server; `null` for any other error. */
export function errorNumberOf(error: unknown): number | null {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number'
    ? error.errno
    : null
}

/**
 * Returns the value as the driver must bind it. Texts are bytes, because the server would convert
 * them from the character set of the connection. Numbers are text: the driver binds them as
 * floating-point numbers, which MySQL refuses in LIMIT.
 */
function bound(value: MysqlValue): Buffer | string | null {
  if (typeof value === 'number') return String(value)
  if (value === null) return null
  if (!value.isWellFormed()) {
    // It would be stored as another character, so two names could become equal.
    throw new StoreError('MySQL cannot store a text that contains half a surrogate pair')
  }
  return Buffer.from(value)
}

/** The options of the host's pool that would change the rows. */
const READING = {
  rowsAsArray: false,
  nestTables: false,
  namedPlaceholders: false,
  typeCast: readValue,
} as const

/** Returns a value of a row: all texts of the tables are bytes, and all numbers exact integers. */
function readValue({ type }: { readonly type: string }, next: () => unknown): unknown {
  const value = next()
  if (Buffer.isBuffer(value)) return value.toString('utf8')
  return type === 'LONGLONG' && value !== null ? Number(value) : value
}

function resultOf<Row>(result: unknown): MysqlResult<Row> {
  if (Array.isArray(result))
    return { rows: result as readonly Row[], count: result.length, insertId: 0 }
  if (typeof result !== 'object' || result === null || !('affectedRows' in result))
    throw new StoreError('the driver of MySQL returned no result')
  const insertId = 'insertId' in result ? Number(result.insertId) : 0
  return { rows: [], count: Number(result.affectedRows), insertId }
}
