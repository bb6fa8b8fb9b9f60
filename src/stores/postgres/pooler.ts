import { StoreError } from '../../contracts/errors.ts'
import type { PostgresClient, PostgresQuery } from './pool.ts'

/*
 * A pooler such as PgBouncer lends a connection of the server for a session or, in its transaction
 * mode, for a transaction only. The next statement then runs on another connection.
 */

type NamedText = Pick<PostgresQuery, 'name' | 'text'>

/**
 * Creates the names of statements, which are used as long as the connections keep what was prepared
 * under them. A refusal ends their use: a statement is then prepared for each call. After a column
 * has got another type, all statements are prepared again under new names.
 */
export function createNames() {
  let areKept = true
  let changes = 0
  return {
    of: ({ name, text }: Required<NamedText>): NamedText =>
      areKept ? { name: `${name}${changes === 0 ? '' : `_${changes}`}`, text } : { text },
    /** Repeats a step after the server has refused a name; nothing was done then. */
    async repeated<Result>(step: () => Promise<Result>) {
      const before = changes
      try {
        return await step()
      } catch (error) {
        const { code, routine } = Object(error instanceof StoreError ? error.cause : error)
        // The message of this refusal depends on the language of the server.
        if (routine === 'RevalidateCachedQuery') changes = before + 1
        else if (REFUSED_NAMES.has(code)) areKept = false
        else throw error
        return step()
      }
    },
  }
}

/** Codes of PostgreSQL: the statement does not exist, or exists already. */
const REFUSED_NAMES: ReadonlySet<unknown> = new Set(['26000', '42P05'])

/** Returns `true` if the connection was opened by another process than runs its statements. */
export async function isPooled(client: PostgresClient): Promise<boolean> {
  const { processID } = client
  if (typeof processID !== 'number') return false
  const { rows } = await client.query({ text: 'SELECT pg_backend_pid()::text AS process' })
  const [row] = rows as readonly { readonly process: string }[]
  return row?.process !== String(processID)
}
