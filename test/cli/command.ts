import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'))

/** Writes the configuration of a host, which its file exports as `config`. */
export function configOf(host: string): string {
  const file = join(folder, `${host}.config.mjs`)
  const { href } = new URL(host, import.meta.url)
  writeFileSync(file, `export { config as default } from ${JSON.stringify(href)}\n`)
  return file
}

/** The configuration of the host of most tests. */
export const HOST = configOf('host.mjs')
