// Bun, installed from npm.
import { join, resolve } from 'node:path'
import { installOnce } from './npm-folder.mjs'

const VERSION = '1.4.5'

/** Installs Bun in a folder of its own and returns the path of its program. */
export function installBun() {
  const folder = join('.cache', `bun-${VERSION}`)
  installOnce(folder, [`bun@${VERSION}`])
  return resolve(folder, 'node_modules', '.bin', 'bun')
}
