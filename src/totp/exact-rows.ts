import { ConfigError } from '../contracts/errors.ts'
import type { Awaitable } from '../contracts/host.ts'
import { readId } from '../users/tables/row-values.ts'
import type { Row } from '../users/tables/table-rows.ts'

/**
 * The rows that a database finds for an id. A collation and a conversion also find those of other
 * users: `ann` for `Ann`, and 12 for `012`.
 */
interface FoundRows {
  readonly own: readonly Row[]
  readonly others: readonly Row[]
}

export type FindRows = (id: string) => Promise<FoundRows>

/** Creates the search for rows by the id of a user. */
export function exactFinder(
  find: (values: readonly unknown[]) => Awaitable<readonly Row[]>,
): FindRows {
  return async (id) => {
    const isOwn = (row: Row): boolean => readId(row['userId']) === id
    const found = await find([id])
    return { own: found.filter(isOwn), others: found.filter((row) => !isOwn(row)) }
  }
}

/**
 * Returns whether a change found its row.
 *
 * @throws {ConfigError} The handle of the host does not tell: each code would count as a wrong one.
 */
export function isChanged(count: number): boolean {
  if (!(count >= 0)) throw new ConfigError(UNCOUNTED)
  return count > 0
}

const UNCOUNTED =
  'the handle of the database returns no number of changed rows, so no code can be used up: let its `query` return `rowCount`, as that of pg does'

/** Creates the fault of an id that has several rows, or only those of other users. */
export const notOneRow = (id: string): Error =>
  new Error(`the second factor of the user ${id} is not one row with exactly this id`)
