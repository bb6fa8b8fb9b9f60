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
import { sqliteUsers } from '@svc/auth/users'
import type { Database, Tables } from './database.ts'

type SqliteValues = Parameters<ReturnType<SqliteFile['prepare']>['run']>

/** An SQLite file, with the handle that it shares with the service's stores. */
export interface SqliteDatabase extends Database {
  readonly handle: SqliteFile
}

/** Opens the file, and creates it if it is missing. */
export function sqliteDatabase(file: string): SqliteDatabase {
  const handle = openSqlite(file)
  const tables = new Kysely<Tables>({ dialect: dialectOver(handle) })
  return {
    kind: 'SQLite',
    handle,
    tables,
    users: (table) => sqliteUsers(handle, table),
    runAll: async ([first, ...others]) =>
      handle.transaction(() => {
        if (first === undefined || run(handle, first).numAffectedRows === 0n) return false
        for (const statement of others) run(handle, statement)
        return true
      }),
    alter: async (work) => inTransaction(handle, async () => work(tables)),
    close: async () => handle.close(),
  }
}

/** Runs a migration, at the start only: other uses of the handle would join its transaction. */
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
    handle.exec('ROLLBACK')
    throw error
  }
}

/** Returns Kysely's dialect with a driver that waits for locks without blocking the event loop. */
function dialectOver(handle: SqliteFile): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery) =>
      /^select\b/i.test(query.sql)
        ? run<Row>(handle, query)
        : handle.transaction(() => run<Row>(handle, query)),
    streamQuery: () => fail('the panel reads no streams'),
  }
  const driver: Driver = Object.assign(new DummyDriver(), {
    acquireConnection: async () => connection,
    beginTransaction: async () => fail('use `runAll`: the service shares this connection'),
  })
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (tables) => new SqliteIntrospector(tables),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function run<Row>(handle: SqliteFile, { sql, parameters }: CompiledQuery): QueryResult<Row> {
  const statement = handle.prepare(sql)
  // The tables hold texts and integers only.
  const values = [...parameters] as SqliteValues
  if (/^select\b|\breturning\b/i.test(sql)) return { rows: statement.all(...values) as Row[] }
  return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
}

function fail(message: string): never {
  throw new Error(message)
}
