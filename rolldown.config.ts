import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { bundledLicenses } from './scripts/bundled-licenses.mjs'
import { builtNameOf, entrySources, serverEntries, webEntries } from './scripts/package-entries.mjs'

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: object
  readonly peerDependencies: object
}
/** The packages that a host installs. Every other package becomes part of the bundle. */
const installed = Object.keys({ ...dependencies, ...peerDependencies })
const shared = {
  logLevel: 'warn',
  external: [...installed, '@svc/auth'].map((name) => new RegExp(`^${name}(/|$)`)),
} as const

/** Declares the keys of the texts: the compiler writes no declaration of a JSON file. */
const jsonDeclarations: Plugin = {
  name: 'svc-json-declarations',
  load(id) {
    if (!id.endsWith('.json.d.ts')) return null
    const texts = readFileSync(id.replace(/\.d\.ts$/, ''), 'utf8')
    const keys = Object.keys(JSON.parse(texts) as object)
    return `declare const texts: Record<${keys.map((key) => `'${key}'`).join(' | ')}, string>\nexport default texts`
  },
}

export default defineConfig([
  {
    ...shared,
    input: {
      ...serverEntries,
      svc: 'src/cli/svc.ts',
      // Programs of their own, of a process and of a thread. They lie beside the code that starts them.
      'hash-process': 'src/core/passwords/hash-process.ts',
      'sqlite-thread': 'src/stores/sqlite/sqlite-thread.ts',
    },
    platform: 'node',
    plugins: [bundledLicenses()],
    // `includeDependenciesRecursively: false` below demands it.
    preserveEntrySignatures: 'allow-extension',
    // Without a comment before each module, of which a host would load 250.
    experimental: { attachDebugInfo: 'none' },
    output: {
      dir: 'dist/server',
      format: 'esm',
      chunkFileNames: 'chunk-[name].js',
      // The declarations have them. A host would load a sixth more.
      comments: { annotation: true, legal: true, jsdoc: false },
      // Each small module that entries share would be a file of its own.
      codeSplitting: {
        groups: [
          {
            name: 'errors',
            test: /src\/(contracts\/(driver-errors|email-address|errors|guard-options|hash-format|own-files|request-headers|sealed|session-openers|storable-text|tenant-marks|warn-once)|process\/\w[\w-]*|rules\/(activity|limits|nearest|owner-key|panel-limits|paths|wire))\.ts$/,
          },
          {
            // What the parts that are loaded on demand share with the service.
            name: 'shared',
            test: /node_modules\/ipaddr\.js\/|src\/(core\/(crypto|timeouts|attempts\/turns|(login|second-factor|sessions)\/(?!user-agent).+)|http\/(routes\/(link-mail|login-routes|session-cookies)|wire\/(client-of|headers-request|html|respond))|rules\/states)\.ts$/,
            minShareCount: 2,
            includeDependenciesRecursively: false,
          },
        ],
      },
    },
  },
  {
    ...shared,
    input: webEntries,
    platform: 'browser',
    plugins: [bundledLicenses()],
    output: {
      dir: 'dist/web',
      format: 'esm',
      // The bundler of a host removes by file what the host does not use.
      preserveModules: true,
      entryFileNames: ({ name }) => `${name.replace(/^(?:src|web)\//, '')}.js`,
    },
  },
  {
    ...shared,
    // One build, so that a type that entries share is declared once.
    input: Object.fromEntries(
      Object.entries(entrySources).map(([entry, source]) => [
        builtNameOf(entry),
        `build/${source.replace(/\.ts$/, '.d.ts')}`,
      ]),
    ),
    plugins: [jsonDeclarations, dts({ dtsInput: true }), bundledLicenses()],
    output: { dir: 'dist', format: 'esm', chunkFileNames: 'types/[name].js' },
  },
  {
    logLevel: 'warn',
    // The programs of the reference panel: each start of one would read hundreds of small files of these packages.
    input: { main: 'panel/main.ts', 'svc.config': 'panel/svc.config.ts' },
    platform: 'node',
    external: (name, from) => from?.includes('/node_modules/') !== true && isInstalled(name),
    output: { dir: 'build/panel', format: 'esm', chunkFileNames: 'chunk-[name].js' },
  },
])

/** Returns `true` for a package that the panel imports when it runs. */
function isInstalled(name: string): boolean {
  return /^[@a-z]/.test(name) && name !== 'express' && name !== 'kysely'
}
