// The supported releases of TypeScript at both ends, each with a release of the types of better-sqlite3.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
  if (existsSync(join(FOLDER, '.installed'))) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }')
  const options = ['--save-exact', '--no-package-lock', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...OLDEST], { cwd: FOLDER, stdio: 'inherit' })
  writeFileSync(join(FOLDER, '.installed'), '')
}
