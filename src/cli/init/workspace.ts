import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { textOf } from '../command/variables.ts'

/** Returns the files of a name in this folder and those around it, up to the repository's root. */
export function filesAround(name: string, folder = resolve()): readonly string[] {
  const isLast = existsSync(join(folder, '.git')) || dirname(folder) === folder
  const path = join(folder, name)
  return [
    ...(existsSync(path) ? [path] : []),
    ...(isLast ? [] : filesAround(name, dirname(folder))),
  ]
}

/** Returns whether this folder is the root of a workspace, whose packages have the servers. */
export function isWorkspaceRoot(): boolean {
  return /^packages:/m.test(textOf('pnpm-workspace.yaml')) || isRootOfNpm('package.json')
}

/** Returns the path to the root of the npm workspace of this package; `null`: it is in none. */
export function npmWorkspaceRoot(): string | null {
  const manifest = filesAround('package.json').find(isRootOfNpm)
  const path = manifest === undefined ? '' : relative('.', dirname(manifest))
  return path === '' ? null : path
}

function isRootOfNpm(manifest: string): boolean {
  return /"workspaces"\s*:/.test(textOf(manifest))
}
