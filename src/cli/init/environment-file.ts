import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { newKey } from '../key/key-commands.ts'

/** Outcome for one file of `svc init`. */
export type FileState = 'written' | 'kept' | 'would write'

/** Appends a new key, unless the file has one: another key would end every session. */
export function addKey(path: string, isDry: boolean): FileState {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (/^\s*(?:export\s+)?APP_KEY\s*=/m.test(before)) return 'kept'
  if (isDry) return 'would write'
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  appendFileSync(path, `${gap}APP_KEY=${newKey()}\n`, { mode: 0o600 })
  return 'written'
}

const OTHERS_READ = 0o044

/** Returns `true` if other users of the machine may read a file. Windows has no such mode. */
export function isReadByOthers(path: string): boolean {
  if (process.platform === 'win32' || !existsSync(path)) return false
  return (statSync(path).mode & OTHERS_READ) !== 0
}

/** Returns `true` if a .gitignore of the folder or of the repository around it names the file. */
export function isIgnored(file: string, folder = resolve()): boolean {
  const path = join(folder, '.gitignore')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  // The last line that fits decides.
  const line = lines.findLast((one) => patternOf(one).test(file))
  if (line !== undefined) return !line.startsWith('!')
  const isRoot = existsSync(join(folder, '.git')) || dirname(folder) === folder
  return !isRoot && isIgnored(file, dirname(folder))
}

/** Returns the expression for a line of a .gitignore, so far as it names files of the folder. */
function patternOf(line: string): RegExp {
  const pattern = line
    .trim()
    .replace(/^!/, '')
    .replace(/^(?:\*\*)?\//, '')
  const escaped = pattern.replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`)
}
