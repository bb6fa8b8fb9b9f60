import type { Awaitable, EpochMs } from '../../contracts/host.ts'
import type { PruneTimes, StoreSize } from '../../contracts/store-size.ts'

interface SizedTable {
  /** The column with the time of a row; `NULL`: rows have none. */
  readonly time: string
  /** The column by which pruning removes rows; `0`: it removes none. */
  readonly end: string
  /** Returns the time before which it removes them. */
  readonly before: (times: PruneTimes) => EpochMs
}

// A row whose end is now has expired.
const expired = ({ expired }: PruneTimes): EpochMs => expired + 1

const TABLES: Readonly<Record<string, SizedTable>> = {
  svc_sessions: { time: 'created_at', end: 'expires_at', before: expired },
  svc_pending_logins: { time: 'created_at', end: 'expires_at', before: expired },
  svc_attempts: { time: 'NULL', end: 'ends_at', before: expired },
  svc_notifications: {
    time: 'created_at',
    end: 'created_at',
    before: ({ notifications }) => notifications ?? 0,
  },
  svc_bells: { time: 'NULL', end: '0', before: () => 0 },
  svc_activity: { time: 'occurred_at', end: 'occurred_at', before: ({ activity }) => activity },
}

/**
 * Reads the sizes of all tables, one after the other. It reads every row: for operators, not for
 * requests.
 *
 * @param bytesOf Returns the expression for the bytes of a table.
 * @param query Runs a statement with one value.
 */
export async function sizesOf(
  times: PruneTimes,
  bytesOf: (table: string) => string,
  query: (sql: string, before: EpochMs) => Awaitable<Omit<StoreSize, 'name'>>,
): Promise<readonly StoreSize[]> {
  const sizes: StoreSize[] = []
  for (const [name, { time, end, before }] of Object.entries(TABLES)) {
    const sql = `
    SELECT COUNT(*) AS records, ${bytesOf(name)} AS bytes, MIN(${time}) AS oldest,
      COUNT(CASE WHEN ${end} < ? THEN 1 END) AS due
    FROM ${name}`
    const { records, bytes, oldest, due } = await query(sql, before(times))
    sizes.push({ name, records, bytes, oldest, due })
  }
  return sizes
}

/**
 * Statements that change nothing, and fail where a table is missing, or the right to read it or to
 * remove its rows. Run each in a transaction of its own: one that holds several tables could
 * deadlock with a migration.
 */
export const tableChecks: readonly string[] = Object.entries(TABLES).map(
  ([name, { end }]) => `DELETE FROM ${name} WHERE 1 = 0 AND ${end} = ${end}`,
)
