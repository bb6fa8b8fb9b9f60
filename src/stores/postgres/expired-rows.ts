import type { EpochMs } from '../../contracts/host.ts'
import type { Query, Statement } from './connection.ts'

/** A removed row. */
interface Ended {
  readonly endedAt: EpochMs
}

/**
 * Creates a removal of expired rows that continues where the previous call ended. The index keeps
 * an entry of every deleted row until vacuum, and a search from the beginning would scan all of
 * them.
 *
 * @param statement Its values are: from when, until when, and the maximum number of rows.
 * @returns `deleteExpired` of a store; its rows are those of the statement.
 */
export function expiredRemoval<Row = unknown>(query: Query, statement: Statement) {
  let from: EpochMs = 0
  async function step(now: EpochMs, limit: number): Promise<readonly (Row & Ended)[]> {
    const { rows } = await query<Row & Ended>(statement, from, now, limit)
    // `RETURNING` guarantees no order.
    from = rows.reduce((latest, { endedAt }) => Math.max(latest, endedAt), from)
    return rows
  }
  return async (now: EpochMs, limit: number): Promise<readonly (Row & Ended)[]> => {
    const hasBegun = from > 0
    const removed = await step(now, limit)
    if (removed.length === limit) return removed
    from = 0
    // Rows that were locked before, or were added since, may lie before the start.
    return hasBegun ? [...removed, ...(await step(now, limit - removed.length))] : removed
  }
}
