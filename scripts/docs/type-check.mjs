// Has the compiler check modules that documents show, against what was built.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RELEASES } from '../typescript-releases.mjs'

const CONTEXT = fileURLToPath(new URL('example-context.d.ts', import.meta.url))
/** The declarations of frameworks that are installed in their examples only. */
const FRAMEWORKS = ['src/*/peer.d.ts', 'scripts/docs/example-frameworks.d.ts']

/**
 * The ways in which a host's compiler looks for modules.
 *
 * @type {readonly ['bundler', 'nodenext']}
 */
export const RESOLUTIONS = ['bundler', 'nodenext']

/**
 * Type-checks modules, which may use the names that `example-context.d.ts` declares.
 *
 * @param {Readonly<Record<string, string>>} modules Their code, by their paths in the folder.
 * @param {string} folder Is emptied. Inside the package, so that its own name resolves.
 * @param {{ release: keyof typeof RELEASES, resolution: 'bundler' | 'nodenext' }} [host] The
 *   compiler of a host and its settings. Default: those of this project's tests.
 * @returns {readonly string[]} The compiler's errors.
 */
export function typeErrors(modules, folder, host) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(CONTEXT, join(folder, 'context.d.ts'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settingsFor(folder, host)))
  for (const [path, code] of Object.entries(modules)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  const { typescript } = RELEASES[host?.release ?? 'newest']
  const args = [join(typescript, 'bin/tsc'), '-p', folder]
  const { stdout, stderr, error } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (error ?? stderr) throw error ?? new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

function settingsFor(folder, host) {
  const root = relative(folder, '.')
  return {
    ...(host === undefined && { extends: join(root, 'tsconfig.test.json') }),
    compilerOptions: {
      // Hosts of NestJS compile with its decorators; any other example compiles with them, too.
      experimentalDecorators: true,
      allowImportingTsExtensions: true,
      ...(host === undefined ? { paths: {} } : optionsOf(host, root)),
    },
    include: ['.', ...FRAMEWORKS.map((file) => join(root, file))],
    exclude: [],
  }
}

/** The settings of an application, as generators of applications write them. */
function optionsOf({ release, resolution }, root) {
  return {
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    paths: { 'better-sqlite3': [join(root, RELEASES[release].sqliteTypes)] },
  }
}
