import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The answer of npm, which needs seconds, for the other files of the run. Two at once write the same. */
const listing = join(tmpdir(), 'packed-files.json')

/** Returns the paths of the files that the package is published with. */
export function packedFiles(): readonly string[] {
  if (!existsSync(listing)) {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const written = join(mkdtempSync(join(tmpdir(), 'packed-')), 'files.json')
    writeFileSync(written, execFileSync('npm', args, { stdio: ['ignore', 'pipe', 'ignore'] }))
    renameSync(written, listing)
  }
  const [{ files }]: [{ files: readonly { path: string }[] }] = JSON.parse(
    readFileSync(listing, 'utf8'),
  )
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
