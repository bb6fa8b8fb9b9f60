import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

/**
 * Imports a copy of an entry that finds no package, as where no optional peer is installed.
 *
 * @param peers The code of CommonJS of packages that it finds all the same, by name.
 */
export async function importWithoutPeers<Module>(
  entry: string,
  peers: Readonly<Record<string, string>> = {},
): Promise<Module> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-without-peers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = createRequire(import.meta.url).resolve(`@svc/auth/${entry}`)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  // Below dist, because Vitest leaves to Node what is there.
  cpSync(dirname(file), join(folder, 'dist/server'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('node_modules/valibot'), join(folder, 'node_modules/valibot'))
  for (const [name, code] of Object.entries(peers)) {
    mkdirSync(join(folder, 'node_modules', name))
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), '{}')
    writeFileSync(join(folder, 'node_modules', name, 'index.js'), code)
  }
  return import(pathToFileURL(join(folder, `dist/server/${entry}.js`)).href)
}
