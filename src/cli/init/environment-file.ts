import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { hasVariable, lineOf, textOf } from '../command/variables.ts'
import { newKey } from '../key/key-commands.ts'

/** Outcome for one file of `svc init`. */
export type FileState = 'written' | 'kept' | 'would write'

/** Adds a new key, unless the file has one: another key would end every session. */
export function addKey(path: string, isDry: boolean): FileState {
  if (hasVariable(path, 'APP_KEY')) return 'kept'
  if (isDry) return 'would write'
  const before = textOf(path)
  const line = lineOf('APP_KEY')
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  // An example of a .env has the name alone, which is copied with it.
  if (line.test(before)) writeFileSync(path, before.replace(line, `$1${newKey()}`))
  else appendFileSync(path, `${gap}APP_KEY=${newKey()}\n`, { mode: 0o600 })
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
