import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type OutputOptions, type RolldownOptions } from 'rolldown'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import builds from '../../rolldown.config.ts'
import {
  LICENSES_FILE,
  modulesOf,
  packageFoldersOf,
  packagesIn,
} from '../../scripts/bundled-licenses.mjs'
import { packedFiles } from '../support/packed.ts'

/** The packages whose code a host gets without installing them. Another one is a decision. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'dist/server': [
    '@valibot/to-json-schema',
    'commander',
    'content-type',
    'ipaddr.js',
    'negotiator',
    '@zxcvbn-ts/language-common',
  ],
  'dist/web': ['preact'],
  'dist/spa': ['preact'],
  dist: [],
}
const WAIT = { timeout: 120_000 }

describe('The licenses of the packages whose code is part of the package', () => {
  it(
    'are those of all packages in the bundles of the server, the browser and the types',
    WAIT,
    async () => {
      const published = (builds as readonly RolldownOptions[]).filter(({ output }) =>
        /^dist\b/.test(folderOf(output)),
      )
      expect(published).toHaveLength(3)
      for (const options of published) {
        const bundle = await rolldown({ ...options, logLevel: 'silent' })
        const { output } = await bundle.generate(options.output as OutputOptions)
        await bundle.close()
        expectLicenses(folderOf(options.output), output)
      }
    },
  )

  it.each([
    ['the pages', 'dist/spa', 'web/spa/vite.config.ts'],
    ['`mount`', 'dist/web', 'web/spa/vite.mount.config.ts'],
  ])('are those of all packages in the files of %s', WAIT, async (_what, folder, configFile) => {
    const built = await build({ configFile, logLevel: 'error', build: { write: false } })
    const { output } = [built].flat()[0] as Rolldown.RolldownOutput
    expectLicenses(folder, output)
  })

  it('have the text of each license, and are published', WAIT, () => {
    const packed = packedFiles()
    for (const [folder, names] of Object.entries(EXPECTED)) {
      const text = licensesIn(folder)
      expect(packagesIn(text).map(nameOf)).toEqual(names)
      for (const one of text.split(/^\S+ \d+\.\d+\.\d+$/m).slice(1)) {
        expect(one).toMatch(/Copyright/i)
        expect(one).toMatch(/Permission is hereby granted/)
      }
      if (names.length > 0) expect(packed).toContain(join(folder, LICENSES_FILE))
    }
  })
})

/** Compares what is in the output of a build with the licenses that lie in its folder. */
function expectLicenses(folder: string, output: Rolldown.RolldownOutput['output']): void {
  const packages = Array.from(packageFoldersOf(modulesOf(output)), (one) => {
    const { name, version } = JSON.parse(readFileSync(join(one, 'package.json'), 'utf8')) as {
      readonly name: string
      readonly version: string
    }
    return `${name} ${version}`
  })
  expect(packagesIn(licensesIn(folder)), folder).toEqual(expect.arrayContaining(packages))
}

function licensesIn(folder: string): string {
  const file = join(folder, LICENSES_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function folderOf(output: RolldownOptions['output']): string {
  return String([output].flat()[0]?.dir)
}

const nameOf = (one: string): string => one.split(' ')[0] ?? ''
