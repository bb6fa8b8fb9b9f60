// Bun, installed from npm.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const VERSION = '1.4.5'

/** Installs Bun in a folder of its own and returns the path of its program. */
export function installBun() {
  const folder = join('.cache', `bun-${VERSION}`)
  if (!existsSync(join(folder, '.installed'))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const options = ['--save-exact', '--no-package-lock', '--loglevel=error']
    execFileSync('npm', ['install', ...options, `bun@${VERSION}`], { cwd: folder, stdio: 'pipe' })
    writeFileSync(join(folder, '.installed'), '')
  }
  return resolve(folder, 'node_modules', '.bin', 'bun')
}
