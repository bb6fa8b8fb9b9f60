// No dependencies: this runs before node_modules exists.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a folder that lasts as long as this process. Removes those of processes that were killed.
 *
 * @param {string} name Short: sockets in the folder have paths of at most 107 bytes.
 * @param {string} [parent] The folder around it.
 * @returns {string}
 */
export function temporaryFolder(name, parent = tmpdir()) {
  const abandoned = readdirSync(parent).filter((entry) => isAbandoned(entry, name))
  for (const entry of abandoned) remove(join(parent, entry))
  const folder = mkdtempSync(join(parent, `svc-${name}-${process.pid}-`))
  // PostgreSQL, which does not run as root, has its own folder inside.
  chmodSync(folder, 0o711)
  process.once('exit', () => remove(folder))
  return folder
}

/** Of Linux: a file system in memory. */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Returns a folder whose files are in memory, so that no commit waits for a disk; the usual one where memory is short,
 * or holds no programs.
 *
 * @returns {string}
 */
export function memoryFolder() {
  if (process.env['TMPDIR'] !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH_BYTES && holdsPrograms(MEMORY) ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

function holdsPrograms(parent) {
  const folder = mkdtempSync(join(parent, 'svc-try-'))
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(program)
  remove(folder)
  return status === 0
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
