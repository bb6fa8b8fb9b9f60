import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtCode, importedBy, reachedFrom } from '../support/imports.ts'
import { packedFiles } from '../support/packed.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))

/** Writes the address of every module that Node loads. */
const HOOK = `import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  writeSync(1, url + '\\n')
  return next(url, context)
}`

describe("import '@svc/auth'", () => {
  const loaded = modulesOf('@svc/auth')
  const own = loaded.filter((file) => !file.includes('/node_modules/'))

  it('loads few files, so that it is quick', () => {
    expect(own.length).toBeLessThanOrEqual(12)
    const bytes = own.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(516_000)
  })

  it('loads no other package than Valibot', () => {
    const packages = loaded.filter((file) => !own.includes(file)).map(packageOf)
    expect(new Set(packages)).toEqual(new Set(['valibot']))
  })
})

describe('the bundle of the server', () => {
  it('contains no packages but these, and their licenses', () => {
    const licenses = readFileSync('dist/server/LICENSES.txt', 'utf8')
    const names = Array.from(licenses.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm), ([, name]) => name)
    expect(names).toEqual([
      '@valibot/to-json-schema',
      'commander',
      'content-type',
      'ipaddr.js',
      'negotiator',
    ])
    expect(licenses.match(/Copyright/g)?.length).toBeGreaterThanOrEqual(names.length)
  })

  it('has one copy of each class and of each WeakMap that entries share', () => {
    const code = builtCode('dist/server').join('\n')
    for (const shared of [
      /\bStoreError = class\b/g,
      /\bConfigError = class\b/g,
      /\bsessionOpeners = [^;]*new WeakMap\b/g,
    ]) {
      expect(code.match(shared)).toHaveLength(1)
    }
  })
})

describe('the declarations', () => {
  const reached = declarations()

  it('that the entries need are all in the package', { timeout: 120_000 }, () => {
    expect(reached.size).toBeGreaterThan(25)
    const packed = new Set(packedFiles())
    expect([...reached.keys()].filter((file) => !packed.has(file))).toEqual([])
  })

  it('need no package that a host does not install', () => {
    const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
    const named = [...reached].flatMap(([file, code]) =>
      importedBy(code).map((to) => ({ file, to: packageNameOf(to) })),
    )
    const missing = named.filter(({ to }) => !/^(?:\.|node:)/.test(to) && !(to in installed))
    expect(missing).toEqual([])
  })
})

function modulesOf(entry: string): readonly string[] {
  const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(HOOK))})`
  const script = `import ${JSON.stringify(entry)}`
  const args = ['--import', dataUrl(register), '--input-type=module', '-e', script]
  const addresses = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n')
  return addresses.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
}

function packageOf(file: string): string {
  return packageNameOf(file.slice(file.lastIndexOf('/node_modules/') + '/node_modules/'.length))
}

function packageNameOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
}

/** Returns the declarations that the types of the entries import, directly or not, with their text. */
function declarations(): ReadonlyMap<string, string> {
  const entries = Object.values(manifest.exports).filter((target) => typeof target !== 'string')
  return reachedFrom(
    entries.map(({ types }) => normalize(types)),
    (address) => address.replace(/\.(?:[jt]sx?)$/, '.d.ts'),
  )
}
