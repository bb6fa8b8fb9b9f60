// Writes the licenses of the packages whose code a build takes into its files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const LICENSES_FILE = 'LICENSES.txt'

/**
 * Copies of data, whose packages are not installed: the file that has them, and that with the license.
 */
const COPIED = [
  {
    source: 'src/core/accounts/common-passwords-list.ts',
    license: 'src/core/accounts/common-passwords-list.license.txt',
  },
]

/**
 * Writes `LICENSES.txt` beside the files of a build, unless they have only code of the project.
 *
 * @returns {import('rolldown').Plugin}
 */
export function bundledLicenses() {
  return {
    name: 'bundled-licenses',
    generateBundle(_options, bundle) {
      const modules = modulesOf(Object.values(bundle))
      const texts = [...packageFoldersOf(modules)].toSorted().map(licenseOf)
      const copied = COPIED.filter(({ source }) => modules.some((file) => file.endsWith(source)))
      texts.push(...copied.map(({ license }) => readFileSync(license, 'utf8')))
      if (texts.length === 0) return
      this.emitFile({ type: 'asset', fileName: LICENSES_FILE, source: texts.join('\n\n') })
    },
  }
}

/**
 * Returns the files whose code is in the output of a build.
 *
 * @param {readonly object[]} output
 * @returns {readonly string[]}
 */
export function modulesOf(output) {
  return output.flatMap(({ type, moduleIds }) => (type === 'chunk' ? moduleIds : []))
}

/**
 * Returns the folders of the packages that the files belong to.
 *
 * @param {readonly string[]} files
 * @returns {ReadonlySet<string>}
 */
export function packageFoldersOf(files) {
  return new Set(
    files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  )
}

/**
 * Returns `name version` of each package in a file of licenses.
 *
 * @param {string} text
 * @returns {readonly string[]}
 */
export function packagesIn(text) {
  return Array.from(text.matchAll(/^(\S+ \d+\.\d+\.\d+)$/gm), ([, one = '']) => one)
}

function licenseOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no license file`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
