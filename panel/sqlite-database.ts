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
import type { Database, Tables } from './database.ts'

type SqliteStatement = ReturnType<SqliteFile['prepare']>
type SqliteValues = Parameters<SqliteStatement['run']>

/** An SQLite file, with the handle that it shares with the service's stores. */
export interface SqliteDatabase extends Database {
  readonly handle: SqliteFile
}

/** Opens the file, and creates it if it is missing. */
export function sqliteDatabase(file: string): SqliteDatabase {
  const handle = openSqlite(file)
  const statements = statementsOf(handle)
  const tables = new Kysely<Tables>({ dialect: dialectOver(statements) })
  return {
    kind: 'SQLite',
    handle,
    tables,
    prepare<Row>({ sql }: CompiledQuery<Row>) {
      const statement = handle.prepare(sql)
      return async (...values) => (statement.get(...values) as Row | undefined) ?? null
    },
    runAll: async ([first, ...others]) =>
      handle.transaction(() => {
        if (first === undefined || statements.run(first) === 0) return false
        for (const statement of others) statements.run(statement)
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

/** Returns Kysely's dialect without its driver, which prepares a statement for each execution. */
function dialectOver({ executeQuery }: Statements): Dialect {
  const connection: DatabaseConnection = {
    executeQuery,
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

function fail(message: string): never {
  throw new Error(message)
}

interface Statements {
  /** Runs a writing statement at once. @returns the number of changed rows. */
  readonly run: (query: CompiledQuery) => number
  readonly executeQuery: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>
}

/** Prepares each statement once. */
function statementsOf(handle: SqliteFile): Statements {
  const prepared = new Map<string, SqliteStatement>()
  const statementOf = ({ sql }: CompiledQuery): SqliteStatement => {
    const statement = prepared.get(sql) ?? handle.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const run: Statements['run'] = (query) =>
    Number(statementOf(query).run(...valuesOf(query)).changes)
  const rowsOf = <Row>(query: CompiledQuery) => statementOf(query).all(...valuesOf(query)) as Row[]

  async function executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (/^select\b/i.test(query.sql)) return { rows: rowsOf(query) }
    // Waits for another process's lock without blocking the event loop.
    return handle.transaction(() =>
      /\breturning\b/i.test(query.sql)
        ? { rows: rowsOf<Row>(query) }
        : { rows: [], numAffectedRows: BigInt(run(query)) },
    )
  }

  return { run, executeQuery }
}

/** Narrows the values: the tables hold texts and integers only. */
function valuesOf({ parameters }: CompiledQuery): SqliteValues {
  return [...parameters] as SqliteValues
}
