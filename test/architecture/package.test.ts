import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OLDEST } from '../../scripts/examples/oldest.mjs'
import { builtNameOf, entrySources, importNameOf } from '../../scripts/package-entries.mjs'

interface Manifest {
  readonly files: readonly string[]
  readonly preferUnplugged: unknown
  readonly sideEffects: readonly string[]
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const testManifest: Pick<Manifest, 'devDependencies'> = JSON.parse(
  readFileSync('test/packages/package.json', 'utf8'),
)
const lock: { readonly packages: object } = JSON.parse(readFileSync('package-lock.json', 'utf8'))

describe('the published package', () => {
  it.each(Object.entries(manifest.exports))('%s points at files that exist', (_entry, target) => {
    const files = typeof target === 'string' ? [target] : Object.values(target)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('exports every entry of the list under its own name, and the style sheet', () => {
    const files = Object.keys(entrySources).map((entry) => [
      importNameOf(entry).replace('@svc/auth', '.'),
      { types: `./dist/${builtNameOf(entry)}.d.ts`, default: `./dist/${builtNameOf(entry)}.js` },
    ])
    expect(manifest.exports).toEqual({
      ...Object.fromEntries(files),
      './style.css': { types: './dist/web/style.css.d.ts', default: './dist/web/style.css' },
      './package.json': './package.json',
    })
  })

  it('ships what is built, the documents and the changelog, without exceptions', () => {
    expect(manifest.files).toEqual(['dist', 'docs', 'CHANGELOG.md', 'SECURITY.md'])
  })

  it('is known to the compiler by the sources of its entries', () => {
    const { compilerOptions } = parseJsonWithComments(readFileSync('tsconfig.base.json', 'utf8'))
    const { '@svc/auth/*': ofStores, ...paths } = compilerOptions.paths
    const named = Object.entries(entrySources).filter(([, source]) => !isOfStores(source))
    expect(ofStores).toEqual(['./src/stores/*/stores.ts'])
    expect(paths).toEqual(
      Object.fromEntries(named.map(([entry, source]) => [importNameOf(entry), [`./${source}`]])),
    )
  })

  it('is unpacked where Yarn keeps packages in archives, as svc names files in it', () => {
    expect(manifest.preferUnplugged).toBe(true)
  })

  it('marks the style sheet as a side effect, so that bundlers keep it', () => {
    expect(manifest.sideEffects).toEqual(['**/*.css'])
  })

  it('names every dependency by its exact version', () => {
    const versions = [
      manifest.dependencies,
      manifest.devDependencies,
      testManifest.devDependencies,
    ].flatMap((dependencies) => Object.entries(dependencies))
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('has a lock file without download addresses', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": "http/)
  })

  it('accepts the oldest release of each peer that `npm run test:peers` or `npm run examples` tests', () => {
    const script = readFileSync('scripts/peers.mjs', 'utf8')
    const tested = Array.from(
      script.matchAll(/^  '?([@\w/-]+)'?: '([\d.]+)',$/gm),
      ([, name, version]) => [name, `>=${version?.replace(/\.0$/, '')}`],
    )
    const inExamples = Object.values(OLDEST)
      .flatMap((packages) => Object.entries(packages))
      .map(([name, version]) => [name, `>=${version.replace(/\.0$/, '')}`])
    const oldest = Object.fromEntries([...inExamples, ...tested])
    const ranges = Object.entries(manifest.peerDependencies)
    const normal = ranges.map(([name, range]) => [name, range.replace(/^>=(\d+)$/, '>=$1.0')])
    expect(normal.filter(([name = '', range]) => oldest[name] !== range)).toEqual([])
  })

  it('needs no package that refuses the running Node', () => {
    const dryRun = ['ci', '--dry-run', '--offline', '--engine-strict', '--no-audit']
    expect(() => execFileSync('npm', dryRun, { stdio: 'pipe' })).not.toThrow()
  })
})

describe('the packages that only tests, lint and benches need', () => {
  it('are not listed in the package.json of the panel', () => {
    const twice = Object.keys(testManifest.devDependencies).filter(
      (name) => name in manifest.dependencies || name in manifest.devDependencies,
    )
    expect(twice).toEqual([])
  })

  it('are installed into the node_modules of the root, where every room finds them', () => {
    const nested = Object.keys(lock.packages).filter((path) => path.startsWith('test/packages/'))
    expect(nested).toEqual([])
  })
})

function isOfStores(source: string): boolean {
  return /^src\/stores\/\w+\/stores\.ts$/.test(source)
}

function parseJsonWithComments(text: string): {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, unknown>> }
} {
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''))
}
