import { createHash } from 'node:crypto'
import { isStorable } from '../../contracts/storable-text.ts'
import { StoreError } from '../../contracts/errors.ts'
import { LONGEST_TIMEOUT_MS } from '../../process/timeout.ts'
import { poolAccess } from '../sql/pooled-client.ts'
import type { QueryResult } from '../sql/server-stores.ts'
import { FROZEN_SECONDS } from '../store-deadline.ts'
import { lenderOf } from './known-connections.ts'
import type { PostgresClient, PostgresQuery, PostgresValue, Source } from './pool.ts'
import { createNames, isPooled } from './pooler.ts'

/** A statement with its values as $1, $2 …, and a unique name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Runs one statement. The type of its rows is the caller's claim about what it selects. */
export type Query = <Row>(
  statement: Statement,
  ...values: PostgresValue[]
) => Promise<QueryResult<Row>>

/** A pool that throws StoreErrors and applies a deadline to every answer. */
export type Connection = ReturnType<typeof connection>

const BEGIN = { text: 'BEGIN' }
const WITHOUT_LIMIT = {
  text: `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = '${FROZEN_SECONDS}s'`,
}
const COMMIT = { text: 'COMMIT' }

const INT8 = 20
/**
 * The stores' numbers are times and counts, which are exact in JavaScript; everything else is text.
 */
const types = { getTypeParser: (oid: number) => (oid === INT8 ? Number : String) }

/** Converts statements written for both databases to PostgreSQL's form. */
export function statements<Name extends string>(
  shared: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>>
export function statements(shared: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(shared).map(([name, sql]) => [name, statement(sql)]))
}

/** Converts a statement written for both databases to PostgreSQL's form. */
export function statement(sql: string): Statement {
  let number = 0
  const text = sql.replaceAll('?', () => `$${(number += 1)}`)
  const digest = createHash('sha256').update(text).digest('base64url')
  // The name is unique to the text, also in a pool that several versions of this package share.
  return { name: `svc_${digest.slice(0, 22)}`, text }
}

/** A connection that runs statements. */
type Asked = Pick<PostgresClient, 'query'>

/** Lifts the `query_timeout` of a pool of the host, which the driver counts itself. */
function withoutQueryTimeout(client: Asked): Asked {
  return { query: async (one) => client.query({ ...one, query_timeout: LONGEST_TIMEOUT_MS }) }
}

export function connection({ pool, release }: Source) {
  const access = poolAccess('PostgreSQL', {
    ...lenderOf(pool),
    release,
  })
  const named = createNames()
  const queryOf =
    (client: Asked): Query =>
    async <Row>(one: Statement, ...values: PostgresValue[]) =>
      run<Row>(client, named.of(one), values)
  return {
    /** Runs one statement in its own transaction. */
    query: async <Row>(one: Statement, ...values: PostgresValue[]) =>
      named.repeated(async () =>
        access.promptly(async (client) => queryOf(client)<Row>(one, ...values)),
      ),
    /** Runs all of the step or nothing of it. Each statement sees what was committed before it. */
    transaction: async <Result>(step: (query: Query) => Promise<Result>) =>
      named.repeated(async () =>
        access.promptly(async (client) => inTransaction(client, async () => step(queryOf(client)))),
      ),
    /** Runs a transaction without a deadline; `script` runs statements without values. */
    longTransaction: async <Result>(
      step: (query: Query, script: (sql: string) => Promise<unknown>) => Promise<Result>,
    ) =>
      named.repeated(async () =>
        access.unhurried(async (client) => {
          const patient = withoutQueryTimeout(client)
          return inTransaction(patient, async () => {
            await patient.query(WITHOUT_LIMIT)
            return step(queryOf(patient), async (text) => patient.query({ text }))
          })
        }),
      ),
    /** Returns `true` if a pooler lends the connections of the server, as PgBouncer does. */
    isPooled: async () => access.promptly(isPooled),
    /** Returns the number of calls that wait for a connection. */
    waiting: access.waiting,
    /** Closes what was opened here. Idempotent. */
    close: access.close,
  }
}

/** Runs a step in a transaction. A failure rolls it back by dropping the connection. */
async function inTransaction<Result>(client: Asked, step: () => Promise<Result>): Promise<Result> {
  await client.query(BEGIN)
  const result = await step()
  await client.query(COMMIT)
  return result
}

async function run<Row>(
  client: Asked,
  statement: Pick<PostgresQuery, 'name' | 'text'>,
  values: PostgresValue[],
): Promise<QueryResult<Row>> {
  ensureStorable(values)
  const { rows, rowCount } = await client.query({ ...statement, values, types })
  return { rows: rows as readonly Row[], count: rowCount ?? 0 }
}

/**
 * Rejects text that PostgreSQL would change. A lone surrogate would be stored as another character,
 * so two names could become equal.
 */
function ensureStorable(values: readonly PostgresValue[]): void {
  for (const value of values) {
    if (typeof value === 'string' && !isStorable(value))
      throw new StoreError(
        'PostgreSQL cannot store a text that contains U+0000 or half a surrogate pair',
      )
  }
}
