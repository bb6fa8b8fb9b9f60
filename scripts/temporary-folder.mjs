// No dependencies: this runs before node_modules exists.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a folder that lasts as long as this process. Removes those of processes that were killed.
 *
 * @param {string} name Short: sockets in the folder have paths of at most 107 bytes.
 * @returns {string}
 */
export function temporaryFolder(name) {
  const parent = tmpdir()
  const abandoned = readdirSync(parent).filter((entry) => isAbandoned(entry, name))
  for (const entry of abandoned) remove(join(parent, entry))
  const folder = mkdtempSync(join(parent, `svc-${name}-${process.pid}-`))
  // PostgreSQL, which does not run as root, has its own folder inside.
  chmodSync(folder, 0o711)
  process.once('exit', () => remove(folder))
  return folder
}

function isAbandoned(entry, name) {
  const [, ofName, pid] = /^svc-([a-z-]+)-(\d+)-\w{6}$/.exec(entry) ?? []
  return ofName === name && !isRunning(Number(pid))
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
