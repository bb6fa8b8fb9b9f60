import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages } from '../../scripts/docs/pages.mjs'

const FOLDER = 'docs/frameworks'
/**
 * The frameworks whose packages the project has. `npm run examples` checks the others with packages
 * of their own.
 */
const COMPILED = ['express', 'fastify', 'hono', 'nestjs', 'node', 'web']
/** Packages that the generator of a framework installs, by the page. */
const OF_TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  angular: ['@angular/core', '@angular/platform-browser', '@angular/router'],
  nestjs: ['@nestjs/common', '@nestjs/core'],
  nextjs: ['next', 'react'],
  nuxt: ['h3'],
  payload: ['@payloadcms/db-sqlite', '@payloadcms/next', 'next', 'payload', 'react'],
  'react-router': ['@react-router/dev', 'react-router'],
  sveltekit: ['@sveltejs/kit', 'vite'],
}
/** The pages as they ship, by their paths. */
const written = pages()
const COMPILING = { timeout: 120_000 }
const OF_A_HOST = {
  'auth.ts': `import type { PanelAuth } from '@svc/auth'
import type { Person } from './users.ts'
export declare const auth: PanelAuth<Person>
`,
  'users.ts': readFileSync('test/frameworks/users.ts', 'utf8'),
  'sockets.ts': 'export declare function openSocket(...handshake: readonly unknown[]): void\n',
}

describe('docs/frameworks', () => {
  it('shows every example of a framework', () => {
    const shown = [...written].filter(([path]) => path.startsWith(FOLDER)).map(([, page]) => page)
    const examples = readdirSync('examples').filter(
      (name) => !['shop', 'single-sign-on', 'testing'].includes(name),
    )
    const unseen = examples.filter(
      (name) => name.includes('.') === shown.some((page) => page.includes(`examples/${name}`)),
    )
    expect(unseen).toEqual([])
  })

  it('ends every server of an example by closeOnSignals, which finishes running requests', () => {
    const sources = readdirSync('examples', { recursive: true, encoding: 'utf8' })
      .filter((path) => /\/(auth|auth\.server)\.ts$/.test(path) && !path.includes('node_modules'))
      .filter((path) => readFileSync(join('examples', path), 'utf8').includes('createPanelAuth('))
    const others = sources.filter(
      (path) => !readFileSync(join('examples', path), 'utf8').includes('closeOnSignals(auth)'),
    )
    expect([sources.length > 15, others]).toEqual([true, []])
  })

  it.each(readdirSync(FOLDER))('%s installs what its code imports', (name) => {
    const page = written.get(join(FOLDER, name)) ?? ''
    const installed = Array.from(page.matchAll(/npm install ([^\n]+)/g), ([, names = '']) => names)
    const known = new Set([
      // A package may be named with its major version.
      ...installed.flatMap((names) => names.split(' ').map((one) => one.replace(/@\d+$/, ''))),
      ...(OF_TEMPLATES[basename(name, '.md')] ?? []),
    ])
    expect(packagesIn(page).filter((imported) => !known.has(imported))).toEqual([])
  })

  it('has a page for every row of the table in docs/frameworks.md, and the reverse', () => {
    const index = written.get('docs/frameworks.md') ?? ''
    const linked = Array.from(index.matchAll(/\]\((frameworks\/[\w-]+\.md)\)/g), ([, link]) => link)
    expect(linked.toSorted()).toEqual(readdirSync(FOLDER).map((name) => `frameworks/${name}`))
  })
})

describe('Code compiles against the package as it is built:', () => {
  it.each(COMPILED)('examples/%s', COMPILING, (name) => {
    const copy = emptyFolder(name)
    cpSync(join('examples', name), copy, { recursive: true, filter: isCompiled })
    const settings = JSON.parse(readFileSync(join(copy, 'tsconfig.json'), 'utf8')) as Settings
    expect(compilerErrors(copy, settings)).toBe('')
  })

  it('docs/frameworks.md', COMPILING, () => {
    const copy = emptyFolder('frameworks-page')
    const index = written.get('docs/frameworks.md') ?? ''
    const samples = Array.from(index.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code)
    for (const [number, code] of samples.entries())
      writeFileSync(join(copy, `sample-${number}.ts`), code)
    // The modules of the host that the samples import.
    for (const [name, code] of Object.entries(OF_A_HOST)) writeFileSync(join(copy, name), code)
    const settings = { extends: '../../../examples/express/tsconfig.json', compilerOptions: {} }
    expect(samples.length).toBeGreaterThan(1)
    expect(compilerErrors(copy, settings)).toBe('')
  })
})

/** Returns the packages that the code of a page imports, without aliases and what the runtime has. */
function packagesIn(page: string): readonly string[] {
  const imports = page.matchAll(/(?:from|import) '((?:@[a-z][\w-]*\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g)
  return Array.from(imports, ([, name = '']) => name)
}

interface Settings {
  readonly compilerOptions: object
}

/** Empties a folder within the package, whose own name the code then finds. */
function emptyFolder(name: string): string {
  const folder = join('build/compiled-examples', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Without the manifest, which would make the folder a package of its own. */
function isCompiled(source: string): boolean {
  return !/package\.json$|node_modules|deno\.ts$/.test(source)
}

function compilerErrors(folder: string, settings: Settings): string {
  const compilerOptions = {
    ...settings.compilerOptions,
    noEmit: true,
    skipLibCheck: true,
    paths: { '@example/shop': ['./shop.d.ts'] },
  }
  cpSync('examples/shop/shop.d.ts', join(folder, 'shop.d.ts'))
  const written = { ...settings, compilerOptions, include: ['**/*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(written))
  const { stdout, error } = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' })
  if (error) throw error
  return stdout
}
