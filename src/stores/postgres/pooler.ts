import { StoreError } from '../../contracts/errors.ts'
import type { PostgresClient, PostgresQuery } from './pool.ts'

/*
 * A pooler such as PgBouncer lends a connection of the server for a session or, in its transaction
 * mode, for a transaction only. The next statement then runs on another connection.
 */

type NamedText = Pick<PostgresQuery, 'name' | 'text'>

/**
 * Creates the names of statements, which are used as long as the connections keep what was prepared
 * under them. A refusal ends their use: a statement is then prepared for each call.
 */
export function createNames() {
  let areKept = true
  return {
    of: (statement: NamedText) => (areKept ? statement : { text: statement.text }),
    /** Repeats a step without names after the server has refused one; nothing was done then. */
    async repeated<Result>(step: () => Promise<Result>) {
      try {
        return await step()
      } catch (error) {
        if (!isRefusedName(error)) throw error
        areKept = false
        return step()
      }
    },
  }
}

/** Codes of PostgreSQL: the statement does not exist, or exists already. */
const REFUSED_NAMES: ReadonlySet<unknown> = new Set(['26000', '42P05'])

function isRefusedName(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error && 'code' in cause && REFUSED_NAMES.has(cause.code)
}

/** Returns `true` if the connection was opened by another process than runs its statements. */
export async function isPooled(client: PostgresClient): Promise<boolean> {
  const { processID } = client
  if (typeof processID !== 'number') return false
  const { rows } = await client.query({ text: 'SELECT pg_backend_pid()::text AS process' })
  const [row] = rows as readonly { readonly process: string }[]
  return row?.process !== String(processID)
}
