import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../scripts/postgres.mjs'

/** Starts the one PostgreSQL of the run and tells the tests where it is: `inject('postgresUrl')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.stop
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}
