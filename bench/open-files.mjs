import { execFileSync } from 'node:child_process'

/** Files that a process of a bench opens besides its connections. */
const OTHERS = 200

/**
 * Returns why a process cannot have so many connections; `null` if it can. Windows has no such
 * limit.
 */
export function tooFewFiles(connections) {
  if (process.platform === 'win32') return null
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  const needed = connections + OTHERS
  if (limit === 'unlimited' || Number(limit) >= needed) return null
  return (
    `${connections} streams need ${needed} open files for each process, and this shell allows ${limit}. ` +
    `Run \`ulimit -n ${needed}\` first.`
  )
}
