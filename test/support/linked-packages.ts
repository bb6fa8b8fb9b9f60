import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Links packages of this project into an application, in place of `npm install`. */
export function linkPackages(cwd: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(cwd, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(folderOf(name), link)
  }
}

function folderOf(name: string): string {
  if (name === '@svc/auth') return resolve('.')
  const installed = resolve('node_modules', name)
  // `scripts/nodes.mjs` names the one that is compiled for the running Node.
  return name === 'better-sqlite3' ? (process.env['SVC_BETTER_SQLITE3'] ?? installed) : installed
}
