import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { openSqlite, type SqliteFile } from '@svc/auth/sqlite'
import { sqliteFactors } from '@svc/auth/totp'
import { sqliteUsers } from '@svc/auth/users'
import { factorTable, type Database, type Tables } from './database.ts'

type SqliteValues = Parameters<ReturnType<SqliteFile['prepare']>['run']>

/** An SQLite file, with the panel's handle, to whose file the service's stores open their own. */
export interface SqliteDatabase extends Database {
  readonly handle: SqliteFile
}

/** Opens the file, and creates it if it is missing. */
export function sqliteDatabase(file: string): SqliteDatabase {
  const handle = openSqlite(file)
  const tables = new Kysely<Tables>({
    dialect: dialectOver(async (query) =>
      /^select\b/i.test(query.sql)
        ? run(handle, query)
        : handle.transaction(() => run(handle, query)),
    ),
  })
  const withinTransaction = new Kysely<Tables>({
    dialect: dialectOver(async (query) => run(handle, query)),
  })
  return {
    kind: 'SQLite',
    handle,
    tables,
    users: (table) => sqliteUsers(handle, table),
    factors: sqliteFactors(handle, factorTable),
    alter: async (work) => inTransaction(handle, async () => work(withinTransaction)),
    close: async () => handle.close(),
  }
}

/** Runs a migration, at the start only: other writes on the handle wait for its end. */
async function inTransaction<Result>(
  handle: SqliteFile,
  work: () => Promise<Result>,
): Promise<Result> {
  // Another node may be migrating. No requests are served yet, so the wait may block.
  handle.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE; PRAGMA busy_timeout = 50')
  try {
    const result = await work()
    handle.exec('COMMIT')
    return result
  } catch (error) {
    // A commit that found the disk full has rolled back already.
    if (handle.inTransaction) handle.exec('ROLLBACK')
    throw error
  }
}

/** Returns Kysely's dialect with a driver that runs each query by the function. */
function dialectOver(execute: (query: CompiledQuery) => Promise<QueryResult<unknown>>): Dialect {
  const connection: DatabaseConnection = {
    // The rows are those of the query, which Kysely has typed.
    executeQuery: async <Row>(query: CompiledQuery) => (await execute(query)) as QueryResult<Row>,
    streamQuery: () => fail('the panel reads no streams'),
  }
  const driver: Driver = Object.assign(new DummyDriver(), {
    acquireConnection: async () => connection,
    // Statements of other requests would join a transaction that awaits.
    beginTransaction: async () => fail('the panel has one connection: write one statement'),
  })
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (tables) => new SqliteIntrospector(tables),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function run(handle: SqliteFile, { sql, parameters }: CompiledQuery): QueryResult<unknown> {
  const statement = handle.prepare(sql)
  // The tables hold texts and integers only.
  const values = [...parameters] as SqliteValues
  if (/^select\b|\breturning\b/i.test(sql)) return { rows: statement.all(...values) }
  return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
}

function fail(message: string): never {
  throw new Error(message)
}
