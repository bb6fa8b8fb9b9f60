import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Returns the paths of the files that the package is published with. */
export function packedFiles(): readonly string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const text = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ files }]: [{ files: readonly { path: string }[] }] = JSON.parse(text)
  return files.map(({ path }) => path)
}

/**
 * Packs what is built.
 *
 * @param into A folder.
 * @returns the path of the tarball.
 */
export function packTarball(into: string): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', into]
  return join(into, execFileSync('npm', args, { encoding: 'utf8' }).trim())
}
