import { setTimeout as pause } from 'node:timers/promises'
import { fullJitterMs } from '../backoff.ts'
import { poolAccess } from '../sql/pooled-client.ts'
import { FROZEN_SECONDS } from '../store-deadline.ts'
import type { MysqlClient } from './lent-connection.ts'
import type { Source } from './pool.ts'
import {
  errorNumberOf,
  run,
  statement,
  type MysqlResult,
  type MysqlValue,
  type Statement,
} from './run.ts'

/** Runs one statement. The type of its rows is the caller's claim about what it selects. */
export type Query = <Row>(
  statement: Statement,
  ...values: MysqlValue[]
) => Promise<MysqlResult<Row>>

/**
 * A pool that throws StoreErrors, applies a deadline to every answer, and repeats what a deadlock
 * has rolled back.
 */
export type Connection = ReturnType<typeof connection>

const DEADLOCK = 1213
/** A lock was not free in time. */
const LOCK_WAIT = 1205
const NOT_LOCKED: ReadonlySet<number | null> = new Set([DEADLOCK, LOCK_WAIT])
/** The delays before a repetition. */
const DELAY_SECONDS = [0.005, 0.1] as const

/**
 * Lifts the limit for statements, which MariaDB and MySQL name differently. Restored afterwards,
 * because the pool may be the host's.
 */
const WITHOUT_LIMIT = statement(
  `SET @svc_wait = @@SESSION.wait_timeout, SESSION wait_timeout = ${FROZEN_SECONDS}
    /*M!100101 , @svc_limit = @@SESSION.max_statement_time, SESSION max_statement_time = 0 */
    /*!80000 , @svc_limit = @@SESSION.max_execution_time, SESSION max_execution_time = 0 */`,
)
const LIMIT_AS_BEFORE = statement(
  `SET SESSION wait_timeout = @svc_wait /*M!100101 , SESSION max_statement_time = @svc_limit */
    /*!80000 , SESSION max_execution_time = @svc_limit */`,
)

/** Creates the access to a pool. */
export function connection({ begin, ...lender }: Source) {
  const access = poolAccess('MySQL', lender)
  return {
    /** Runs one statement in its own transaction. */
    query: async <Row>(one: Statement, ...values: MysqlValue[]) =>
      access.promptly(async (client) => repeated(async () => run<Row>(client, one, values))),
    /**
     * Runs all of the step or nothing of it. Each statement sees what was committed before it. The
     * step runs again after a deadlock.
     */
    transaction: async <Result>(step: (query: Query) => Promise<Result>) =>
      access.promptly(async (client) => repeated(async () => inTransaction(client, begin, step))),
    /**
     * Runs the statements of a step on one connection, each in its own transaction, without a
     * deadline or a limit of the server.
     */
    longSession: async <Result>(step: (query: Query) => Promise<Result>) =>
      access.unhurried(async (client) => {
        const query = queryOf(client)
        await query(WITHOUT_LIMIT)
        const result = await step(query)
        await query(LIMIT_AS_BEFORE)
        return result
      }),
    /** Returns the number of calls that wait for a connection. */
    waiting: access.waiting,
    /** Closes what was opened here. Idempotent. */
    close: access.close,
  }
}

function queryOf(client: MysqlClient): Query {
  return async <Row>(one: Statement, ...values: MysqlValue[]) => run<Row>(client, one, values)
}

/**
 * Repeats what waited for a lock in vain. The deadline of the call closes the connection, which
 * ends the repetitions.
 */
async function repeated<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!NOT_LOCKED.has(errorNumberOf(error))) throw error
    }
    await pause(fullJitterMs(DELAY_SECONDS, failures))
  }
}

/** Runs a step in a transaction. A failure rolls it back by dropping the connection. */
async function inTransaction<Result>(
  client: MysqlClient,
  begin: readonly string[],
  step: (query: Query) => Promise<Result>,
): Promise<Result> {
  for (const sql of begin) await client.control(sql)
  try {
    const result = await step(queryOf(client))
    // By the `completion_type` of a pool of the host, another transaction would begin.
    await client.control('COMMIT AND NO CHAIN NO RELEASE')
    return result
  } catch (error) {
    // Only the statement was rolled back. The next attempt would commit what came before it.
    if (errorNumberOf(error) === LOCK_WAIT) await client.control('ROLLBACK AND NO CHAIN NO RELEASE')
    throw error
  }
}
