// Packages from npm in a folder of their own, where they shadow none of the project's.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs packages in a folder, once.
 *
 * @param {string} folder
 * @param {readonly string[]} packages
 * @param {object} [how]
 * @param {string} [how.what] Named in a line about an installation that takes long.
 * @param {readonly string[]} [how.options] Of npm.
 * @param {string} [how.stamp] A text; with another one, the packages are installed again.
 * @param {() => void} [how.complete] Completes the installation.
 */
export function installOnce(folder, packages, { what, options = [], stamp = '', complete } = {}) {
  const file = join(folder, '.installed')
  if (existsSync(file) && readFileSync(file, 'utf8') === stamp) return
  if (what !== undefined) console.log(`installing ${what}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const args = ['install', '--save-exact', '--no-package-lock', '--loglevel=error', ...options]
  const stdio = what === undefined ? 'pipe' : 'inherit'
  execFileSync('npm', [...args, ...packages], { cwd: folder, stdio })
  complete?.()
  writeFileSync(file, stamp)
}

/** Runs no script of a package, such as one that downloads what nothing needs. */
export const WITHOUT_SCRIPTS = ['--ignore-scripts']
