import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pages } from '../../scripts/docs/pages.mjs'

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const page = pages().get('docs/support.md') ?? ''
/** The rows of the tables that say what is supported. */
const rows = page
  .slice(page.indexOf('## Supported releases'))
  .split('\n')
  .filter((line) => /^\| (?!-)/.test(line) && !/held by +\|$/.test(line))

describe('The page about supported releases', () => {
  it('names a test or a script for each row, but for those that say "not tested"', () => {
    expect(rows.length).toBeGreaterThan(25)
    const open = rows.filter((row) => !/`(?:test\/|npm run )/.test(row))
    expect(open.filter((row) => !row.includes('not tested'))).toEqual([])
  })

  it('names tests that exist, and scripts of package.json', () => {
    const tests = Array.from(page.matchAll(/`(test\/[\w./-]+)`/g), ([, file = '']) => file)
    expect(tests.filter((file) => !existsSync(file))).toEqual([])
    const scripts = Array.from(page.matchAll(/`npm run ([\w:]+)/g), ([, name = '']) => name)
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([])
  })

  it('has every optional peer with its range and a test of its oldest release', () => {
    const missing = Object.entries(manifest.peerDependencies).filter(
      ([name, range]) =>
        !rows.some(
          (row) =>
            row.includes(`\`${name}\``) && row.includes(`| ${range} `) && row.includes('npm run'),
        ),
    )
    expect(missing).toEqual([])
  })
})
