import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
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
    plugins: [licenses()],
    output: {
      dir: 'dist/server',
      format: 'esm',
      chunkFileNames: 'chunk-[name].js',
      // Each small module that entries share would be a file of its own.
      codeSplitting: {
        groups: [
          {
            name: 'errors',
            test: /src\/(contracts\/(driver-errors|errors|hash-format)|process\/\w[\w-]*|rules\/(activity|limits|nearest|owner-key|paths|wire)|core\/(email\/email-address|sealed))\.ts$/,
          },
          {
            // What the parts that are loaded on demand share with the service.
            name: 'shared',
            test: /node_modules\/ipaddr\.js\/|src\/(core\/(crypto|timeouts|turns|(login|second-factor|sessions(?!\/session-openers))\/.+)|http\/(routes\/(link-mail|login-routes|session-cookies)|wire\/(headers-request|html|respond))|rules\/states)\.ts$/,
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
    plugins: [dts({ dtsInput: true })],
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

/** Writes the licenses of the packages that are part of the bundle. */
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : [],
      )
      const folders = new Set(
        files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
      )
      const source = [...folders].toSorted().map(licenseOf).join('\n\n')
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
    },
  }
}

function licenseOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no license file`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
