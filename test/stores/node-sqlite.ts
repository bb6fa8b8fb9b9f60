import type { SqliteHandle } from '@svc/auth/sqlite'

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => SqliteHandle & { close(): void }
}

/** The driver of the running Node; `null` on Node 20 and older 22, which have none. */
export const nodeSqlite =
  (process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined) ?? null
