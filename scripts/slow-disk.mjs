import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Compiles a library that delays or fails every write to the disk in the processes that load it.
 * Linux only.
 *
 * @param {string} folder Where the library and its setting lie.
 */
export function makeSlowDisk(folder) {
  const library = join(folder, 'slow-disk.so')
  const setting = join(folder, 'disk')
  const source = fileURLToPath(new URL('slow-disk.c', import.meta.url))
  execFileSync('g++', ['-x', 'c', '-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  const set = (/** @type {number | 'broken'} */ how) => writeFileSync(setting, String(how))
  set(0)
  return {
    /** The environment of a process that loads the library. */
    environment: { LD_PRELOAD: library, SVC_DISK: setting },
    /** Sets the milliseconds of each write to the disk, or lets each one fail. */
    set,
  }
}
