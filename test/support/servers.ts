import type { TestProject } from 'vitest/node'
import * as mariadb from './mariadb-server.ts'
import * as postgres from './postgres-server.ts'
import * as redis from './redis-setup.ts'

/** Starts the servers of the run at once, as Vitest would start one after the other. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stops = await Promise.all(
    [postgres, mariadb, redis].map(async (server) => server.setup(project)),
  )
  return async () => void (await Promise.all(stops.map(async (stop) => stop())))
}
