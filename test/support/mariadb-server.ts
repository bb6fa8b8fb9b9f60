import type { TestProject } from 'vitest/node'
import { startMariadb } from '../../scripts/mariadb.mjs'

/** Starts the one MariaDB of the run and tells the tests where it is: `inject('mariadbUrl')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMariadb()
  project.provide('mariadbUrl', server.url)
  return server.stop
}

declare module 'vitest' {
  interface ProvidedContext {
    mariadbUrl: string
  }
}
