import { createHash } from 'node:crypto'
import { ConfigError, StoreError } from '../../contracts.ts'
import { withDeadline } from '../store-deadline.ts'
import type { InTime } from '../store-deadline.ts'
import type { PostgresClient, PostgresPool, PostgresValue, Source } from './pool.ts'

/** A statement with its values as $1, $2 … and a name of its own. */
export interface Statement {
  readonly name: string
  readonly text: string
}

interface Answer<Row> {
  readonly rows: readonly Row[]
  /** How many rows it changed, or found. */
  readonly count: number
}

/** Runs one statement. The caller says what its rows are: what it selects. */
export type Query = <Row>(statement: Statement, ...values: PostgresValue[]) => Promise<Answer<Row>>

/** A pool whose failures are StoreErrors, and whose answers come in time or not at all. */
export interface Connection {
  /** One statement, in a transaction of its own. */
  readonly query: Query
  /** Does all of the step or nothing of it. Each statement sees what was committed before it. */
  readonly transaction: <Result>(step: (ask: Query) => Promise<Result>) => Promise<Result>
  /** A transaction that takes as long as it takes; `script` runs statements without values. */
  readonly longTransaction: <Result>(
    step: (ask: Query, script: (sql: string) => Promise<unknown>) => Promise<Result>,
  ) => Promise<Result>
  /** Closes what was opened here. Idempotent. */
  readonly close: () => Promise<void>
}

const BEGIN = { text: 'BEGIN' }
const WITHOUT_LIMIT = { text: 'SET LOCAL statement_timeout = 0' }
const COMMIT = { text: 'COMMIT' }

const INT8 = 20
/** Numbers of the stores are instants and counts, which JavaScript counts exactly; everything else is text. */
const types = { getTypeParser: (oid: number) => (oid === INT8 ? Number : String) }

/** Makes PostgreSQL's form of statements that are written for both databases. */
export function statements<Name extends string>(
  shared: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>>
export function statements(shared: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(shared).map(([name, sql]) => [name, statement(sql)]))
}

/** Makes PostgreSQL's form of a statement that is written for both databases. */
export function statement(sql: string): Statement {
  let number = 0
  const text = sql.replaceAll('?', () => `$${(number += 1)}`)
  const digest = createHash('sha256').update(text).digest('base64url')
  // Its name is that of no other statement, also in a pool that versions of this package share.
  return { name: `svc_${digest.slice(0, 22)}`, text }
}

export function connection({ pool, release }: Source): Connection {
  let closing: Promise<void> | null = null
  async function use<Result>(step: () => Promise<Result>): Promise<Result> {
    if (closing) throw new StoreError('the stores are closed')
    return orStoreError(step)
  }
  async function promptly<Result>(step: (client: PostgresClient) => Promise<Result>) {
    return use(async () =>
      withDeadline('PostgreSQL', async (inTime) => withClient(pool, inTime, step)),
    )
  }
  return {
    query: async <Row>(one: Statement, ...values: PostgresValue[]) =>
      promptly(async (client) => run<Row>(client, one, values)),
    transaction: async (step) => promptly(async (client) => inTransaction(client, step)),
    longTransaction: async (step) =>
      use(async () =>
        withClient(pool, patient, async (client) =>
          inTransaction(client, async (ask) => {
            await client.query(WITHOUT_LIMIT)
            return step(ask, async (text) => client.query({ text }))
          }),
        ),
      ),
    close: async () => (closing ??= release()),
  }
}

const patient: InTime = async (answer) => answer

async function orStoreError<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (cause) {
    if (cause instanceof StoreError || cause instanceof ConfigError) throw cause
    throw new StoreError('PostgreSQL failed', { cause })
  }
}

/** A connection that has not answered in time, or with an error, is not used again: what it is doing is not known. */
async function withClient<Result>(
  pool: PostgresPool,
  inTime: InTime,
  step: (client: PostgresClient) => Promise<Result>,
): Promise<Result> {
  const client = await checkOut(pool, inTime)
  let destroy = true
  client.on('error', ignore)
  try {
    const result = await inTime(step(client))
    destroy = false
    return result
  } finally {
    client.release(destroy)
    client.off('error', ignore)
  }
}

async function checkOut(pool: PostgresPool, inTime: InTime): Promise<PostgresClient> {
  const arriving = pool.connect()
  try {
    return await inTime(arriving)
  } catch (error) {
    arriving.then((late) => late.release(false), ignore)
    throw error
  }
}

/** What happens to a connection in use is told by the promise of its statement, and by that alone. */
function ignore(): void {}

/** What fails is taken back with its connection, which is not used again. */
async function inTransaction<Result>(
  client: PostgresClient,
  step: (ask: Query) => Promise<Result>,
): Promise<Result> {
  await client.query(BEGIN)
  const result = await step(async <Row>(one: Statement, ...values: PostgresValue[]) =>
    run<Row>(client, one, values),
  )
  await client.query(COMMIT)
  return result
}

async function run<Row>(
  client: PostgresClient,
  { name, text }: Statement,
  values: PostgresValue[],
): Promise<Answer<Row>> {
  ensureStorable(values)
  const { rows, rowCount } = await client.query({ name, text, values, types })
  return { rows: rows as readonly Row[], count: rowCount ?? 0 }
}

/** Half a character would be stored as another one, and two names could become the same. */
function ensureStorable(values: readonly PostgresValue[]): void {
  for (const value of values) {
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
      throw new StoreError(
        'PostgreSQL cannot store a text that contains U+0000 or half a surrogate pair',
      )
    }
  }
}
