import type { Awaitable, EpochMs } from '../../contracts/host.ts'
import type { PruneTimes, StoreSize } from '../../contracts/store-size.ts'

interface SizedTable {
  /** The column with the time of a row; `NULL`: rows have none. */
  readonly time: string
  /** The column with the number by which pruning removes rows. */
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
  // Pruning removes none: no number of unread entries is below 0.
  svc_bells: { time: 'NULL', end: 'unread', before: () => 0 },
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
 * Creates the statements of a health check. They change nothing. Each fails if its table does not
 * exist, or if the user of the database may not read or write it. Run each statement in its own
 * transaction: a transaction that locks several tables could deadlock with a migration.
 *
 * @param checksOf Returns the statements for a table and one of its columns.
 */
export function tableChecks(
  checksOf: (table: string, column: string) => readonly string[],
): readonly string[] {
  return Object.entries(TABLES).flatMap(([name, { end }]) => checksOf(name, end))
}
