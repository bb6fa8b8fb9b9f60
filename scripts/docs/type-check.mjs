// Has the compiler check modules that documents show, against what was built.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const CONTEXT = fileURLToPath(new URL('example-context.d.ts', import.meta.url))
/** The declarations of frameworks that are installed in their examples only. */
const FRAMEWORKS = ['src/*/peer.d.ts', 'scripts/docs/example-frameworks.d.ts']

/**
 * Type-checks modules, which may use the names that `example-context.d.ts` declares.
 *
 * @param {Readonly<Record<string, string>>} modules Their code, by their paths in the folder.
 * @param {string} folder Is emptied. Inside the package, so that its own name resolves.
 * @returns {readonly string[]} The compiler's errors.
 */
export function typeErrors(modules, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(CONTEXT, join(folder, 'context.d.ts'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settingsFor(folder)))
  for (const [path, code] of Object.entries(modules)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  const { stdout, error } = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' })
  if (error) throw error
  return stdout.split('\n').filter((line) => line !== '')
}

/** Hosts of NestJS compile with its decorators; any other example compiles with them, too. */
function settingsFor(folder) {
  const compilerOptions = {
    experimentalDecorators: true,
    allowImportingTsExtensions: true,
    paths: {},
  }
  return {
    extends: join(relative(folder, '.'), 'tsconfig.test.json'),
    compilerOptions,
    include: ['.', ...FRAMEWORKS.map((file) => join(relative(folder, '.'), file))],
    exclude: [],
  }
}
