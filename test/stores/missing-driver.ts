import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

/** Imports a copy of an entry that finds no package, as where no optional peer is installed. */
export async function importWithoutPeers<Module>(entry: string): Promise<Module> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-without-peers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = createRequire(import.meta.url).resolve(`@svc/auth/${entry}`)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  // Below dist, because Vitest leaves to Node what is there.
  cpSync(dirname(file), join(folder, 'dist/server'), { recursive: true })
  return import(pathToFileURL(join(folder, `dist/server/${entry}.js`)).href)
}
