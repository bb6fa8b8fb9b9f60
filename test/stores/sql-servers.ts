import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { closedAfterTest } from '../support/after-test.ts'
import { emptyMysql } from '../support/mysql.ts'
import { emptyPostgres } from '../support/postgres.ts'

/** A database server with stores, for tests that hold for each. */
export interface SqlServer {
  readonly name: 'PostgreSQL' | 'MySQL'
  /** Creates an empty database. @returns its address. */
  readonly empty: () => Promise<string>
  /** Opens the stores of a node, which the caller closes. */
  readonly stores: (url: string) => Promise<Stores>
}

export const postgres: SqlServer = {
  name: 'PostgreSQL',
  empty: emptyPostgres,
  stores: async (url) => postgresStores(url),
}

export const mysql: SqlServer = {
  name: 'MySQL',
  empty: async () => emptyMysql(),
  // Tests need not wait the usual second for messages of other nodes.
  stores: async (url) => mysqlStores(url, { pollSeconds: 0.05 }),
}

/** Opens stores, and closes them after the test. */
export async function openStores({ stores }: SqlServer, url: string): Promise<Stores> {
  return closedAfterTest(await stores(url))
}

/** Starts a process that opens stores, and sends a message when it has. */
export function startNode({ name }: SqlServer, url: string): ChildProcess {
  const program = fileURLToPath(new URL('sql-node.mjs', import.meta.url))
  const child = fork(program, [name, url])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
