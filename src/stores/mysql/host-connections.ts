import { ConfigError } from '../../contracts/errors.ts'
import { knownConnections, releaseOnFailure, type KnownConnections } from '../sql/pooled-client.ts'
import { answered } from '../store-deadline.ts'
import type { MysqlPool } from './host-pool.ts'
import { clientOf, type MysqlClient } from './lent-connection.ts'
import { errorNumberOf } from './run.ts'
import { startErrors } from './start-error.ts'

/** Returns the functions that lend connections of the host's pool to its own tables. */
export function lenderOf(pool: MysqlPool) {
  return { checkOut: checkOutOf(pool), prepare: rollBack, known: connectionsOf(pool) }
}

/** Creates a function that takes a connection from a pool. */
export function checkOutOf(pool: MysqlPool) {
  return async (): Promise<MysqlClient> => clientOf(await pool.getConnection())
}

/** The server, its InnoDB or the transaction only reads. */
const READ_ONLY: ReadonlySet<number | null> = new Set([1290, 1836, 1792])

const known = new WeakMap<object, KnownConnections<MysqlClient>>()

/** Returns the connections of a pool, which the stores and the host's tables may share. */
export function connectionsOf(pool: object): KnownConnections<MysqlClient> {
  const own =
    known.get(pool) ??
    knownConnections<MysqlClient>({
      connectionOf: (client) => client.connection,
      isReadOnly: (error) => READ_ONLY.has(errorNumberOf(error)),
      isFull: (error) => startErrors.isFull(Object(error).code),
      isInTransaction: ({ connection }) => committing.get(connection) === false,
    })
  known.set(pool, own)
  return own
}

/** The fault of connections on which no single statement is committed. */
export const WITHOUT_COMMIT = 'have autocommit off, so nothing would be stored; turn it on'

/**
 * Rolls back the transaction that the host may have left open on a connection: the next change,
 * such as a logout, would be part of it. Where the host has left `autocommit` off, each statement
 * begins such a transaction, and the connection is not used (`isInTransaction` above).
 *
 * @throws {ConfigError} `autocommit` is off on a connection that is used for the first time.
 */
export async function rollBack(client: MysqlClient): Promise<void> {
  const { connection } = client
  await inOwnTime(client, async () => {
    const isOn = commits(await client.control('ROLLBACK AND NO CHAIN NO RELEASE'))
    if (!isOn && !committing.has(connection))
      throw new ConfigError(`the connections to MySQL ${WITHOUT_COMMIT}`)
    committing.set(connection, isOn)
  })
}

/** True for the connections of hosts that had `autocommit` on when they were last lent. */
const committing = new WeakMap<object, boolean>()

/** The flag of a server's answer for `autocommit`; MySQL Internals, `SERVER_STATUS_flags_enum`. */
const AUTOCOMMIT = 2

/** Returns whether the server commits each statement, by its answer to one. */
function commits(answer: unknown): boolean {
  const [header] = Array.isArray(answer) ? (answer as readonly unknown[]) : []
  const status: unknown = Object(header).serverStatus
  return typeof status !== 'number' || (status & AUTOCOMMIT) !== 0
}

/**
 * Runs a first step with a connection in a time of its own. When its caller has given up it serves
 * the next one: otherwise a server that is slow would never get another connection.
 */
export async function inOwnTime(client: MysqlClient, step: () => Promise<unknown>): Promise<void> {
  await releaseOnFailure(client, async () => answered('MySQL', step))
}
