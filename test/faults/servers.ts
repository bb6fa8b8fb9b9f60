import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMariadb } from '../../scripts/mariadb.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startRedis } from '../../scripts/redis.mjs'
import { emptyMysql } from '../support/mysql.ts'
import { admin } from '../support/postgres.ts'

/** The outages that a server can have. */
export const outages = ['hangs', 'is gone'] as const
export type Outage = (typeof outages)[number]

/** A server of a test's own, which can be taken away and comes back with what it stored. */
export interface BreakableServer {
  readonly url: string
  begin(outage: Outage): Promise<void>
  end(outage: Outage): Promise<void>
  stop(): Promise<void>
}

/** A server with databases. */
export interface BreakableDatabase extends BreakableServer {
  /** Makes a database that holds nothing. @returns its address. */
  emptyDatabase(): Promise<string>
}

export async function breakablePostgres(): Promise<BreakableDatabase> {
  const server = await startPostgres()
  return {
    url: server.url,
    async emptyDatabase() {
      const url = new URL(server.url)
      url.pathname = `of_${randomUUID()}`
      await admin(server.url, `CREATE DATABASE "${url.pathname.slice(1)}"`)
      return url.href
    },
    async begin(outage) {
      if (outage === 'is gone') await server.halt()
      else signal(withChildren(pidOf(server)), 'SIGSTOP')
    },
    async end(outage) {
      if (outage === 'is gone') await server.resume()
      else signal(withChildren(pidOf(server)), 'SIGCONT')
    },
    stop: server.stop,
  }
}

export async function breakableMariadb(): Promise<BreakableDatabase> {
  const server = await startMariadb()
  return {
    url: server.url,
    emptyDatabase: async () => emptyMysql(server.url),
    async begin(outage) {
      if (outage === 'is gone') await server.halt()
      else signal([pidOf(server)], 'SIGSTOP')
    },
    async end(outage) {
      if (outage === 'is gone') await server.resume()
      else signal([pidOf(server)], 'SIGCONT')
    },
    stop: server.stop,
  }
}

export async function breakableRedis(): Promise<BreakableServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-faults-'))
  let server = await startRedis({ folder })
  const { url, port } = server
  return {
    url,
    async begin(outage) {
      if (outage === 'is gone') await server.stop()
      else process.kill(server.pid, 'SIGSTOP')
    },
    async end(outage) {
      if (outage === 'is gone') server = await startRedis({ folder, port })
      else process.kill(server.pid, 'SIGCONT')
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const one of processes) process.kill(one, name)
}

function pidOf({ pid }: { readonly pid: number | undefined }): number {
  if (pid === undefined) throw new Error('the server runs no more')
  return pid
}

/** The parent first: when it is stopped it makes no more. Every connection of PostgreSQL is a process of its own. */
function withChildren(parent: number): readonly number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = all.trim().split('\n')
  const children = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return [parent, ...children.flatMap(([pid = 0, of]) => (of === parent ? [pid] : []))]
}
