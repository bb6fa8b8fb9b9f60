// Prints what publint and attw ("Are the types wrong?") find in the package: `node scripts/check-package.mjs [TARBALL]`.
// Without a tarball it packs what is built.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** The findings that attw may have: docs/decisions/011-commonjs-by-require.md has the reasons. */
const EXPLAINED = new Set(['CJSResolvesToESM'])

const [given] = process.argv.slice(2)
const problems = given === undefined ? await withTarball(check) : await check(readFileSync(given))
for (const problem of problems) {
  console.error(problem)
  process.exitCode = 1
}

async function check(tarball) {
  return (await Promise.all([foundByPublint(tarball), foundByAttw(tarball)])).flat()
}

async function withTarball(act) {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  try {
    const name = execFileSync('npm', args, { encoding: 'utf8' }).trim()
    return await act(readFileSync(join(folder, name)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function foundByPublint(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer } })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

async function foundByAttw(tarball) {
  const { problems = [] } = await checkPackage(createPackageFromTarballData(tarball))
  return problems
    .filter(({ kind }) => !EXPLAINED.has(kind))
    .map((problem) => `attw: ${JSON.stringify(problem)}`)
}
