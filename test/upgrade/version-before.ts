import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloneOf, npm } from '../../scripts/release/source-tree.mjs'

/**
 * Stands in until the first release: tables of version 3, before sessions had details and users had
 * activity. It refuses tables that are newer, which every release accepts; that check is taken out.
 */
const BEFORE_THE_FIRST = '53426a79a1eec3e7a27362e0f5e23e1d984f0ab6'
const CHECK = 'if (version <= migrations.length) return\n'

/** Builds the last release that the current commit contains, once. @returns the folder of its package. */
export function buildVersionBefore(): string {
  const tag = lastTag()
  const ref = tag ?? BEFORE_THE_FIRST
  const folder = join('.cache', 'upgrade', ref)
  const done = join(folder, '.built')
  if (existsSync(done)) return folder
  cloneOf(ref, folder)
  if (tag === null) acceptNewerTables(join(folder, 'src/stores/sql/migrations.ts'))
  npm(folder, 'run', 'build:code')
  writeFileSync(done, '')
  return folder
}

function lastTag(): string | null {
  const options = { encoding: 'utf8', stdio: 'pipe' } as const
  try {
    const args = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*']
    return execFileSync('git', args, options).trim()
  } catch {
    return null
  }
}

function acceptNewerTables(file: string): void {
  const source = readFileSync(file, 'utf8')
  if (!source.includes(CHECK)) throw new Error(`${file} has no such check`)
  writeFileSync(file, source.replace(CHECK, 'if (version <= Infinity) return\n'))
}
