// The supported releases of TypeScript at both ends, each with a release of the types of better-sqlite3.
import { join } from 'node:path'
import { installOnce, WITHOUT_SCRIPTS } from './npm-folder.mjs'

const FOLDER = join('.cache', 'typescript')

export const OLDEST = ['typescript@5.4.5', '@types/better-sqlite3@7.6.13']

/** Their folders. Beside the project's own compiler in `node_modules`, the oldest would replace `tsc`. */
export const RELEASES = {
  oldest: packagesIn(join(FOLDER, 'node_modules')),
  newest: packagesIn('node_modules'),
}

function packagesIn(folder) {
  return {
    typescript: join(folder, 'typescript'),
    sqliteTypes: join(folder, '@types', 'better-sqlite3'),
  }
}

/** Installs the oldest release, once. */
export function installOldestTypeScript() {
  installOnce(FOLDER, OLDEST, { what: OLDEST.join(' and '), options: WITHOUT_SCRIPTS })
}
