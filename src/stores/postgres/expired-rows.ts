import type { EpochMs } from '../../contracts.ts'
import type { Query, Statement } from './connection.ts'

/** A row that was removed. */
interface Ended {
  readonly endedAt: EpochMs
}

/**
 * Removes what is over, beginning where the call before it ended: the index keeps an entry of every row that is gone
 * until vacuum comes, and a search from its beginning walks over all of them.
 *
 * @param statement Its values are: from when, until when, how many at most.
 * @returns `deleteExpired` of a store; its rows are what the statement returns.
 */
export function expiredRemoval<Row = unknown>(ask: Query, statement: Statement) {
  let from: EpochMs = 0
  async function step(now: EpochMs, limit: number): Promise<readonly (Row & Ended)[]> {
    const { rows } = await ask<Row & Ended>(statement, from, now, limit)
    // `RETURNING` has no order.
    from = rows.reduce((latest, { endedAt }) => Math.max(latest, endedAt), from)
    return rows
  }
  return async (now: EpochMs, limit: number): Promise<readonly (Row & Ended)[]> => {
    const hasBegun = from > 0
    const removed = await step(now, limit)
    if (removed.length === limit) return removed
    from = 0
    // What others held a moment ago, or has come since, may lie before where it began.
    return hasBegun ? [...removed, ...(await step(now, limit - removed.length))] : removed
  }
}
