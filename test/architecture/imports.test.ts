import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entrySources, importNameOf } from '../../scripts/package-entries.mjs'
import { withGenerated } from '../../scripts/docs/generated.mjs'
import { parts, path } from '../../scripts/docs/rooms.mjs'
import { rooms } from '../../scripts/rooms.mjs'
import { builtCode } from '../support/imports.ts'

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const maxLines = 300

const browserRooms = new Set(
  Object.keys(rooms).filter((room) => room.startsWith('web/') || room === 'src/rules'),
)

const entries = publicEntries()
const files = ['src', 'web', 'panel'].flatMap(sourceFiles)
const TOPS = /^(?:src|web|panel)\//
const imports = files.flatMap(importsOf)

describe('rooms', () => {
  it.each(Object.keys(rooms))('%s imports only what it may', (room) => {
    const wrong = imports.filter((one) => roomOf(one.from) === room && !isAllowed(room, one))
    expect(wrong.map(inWords)).toEqual([])
  })

  it('have every file of src, web and panel', () => {
    expect(files.filter((file) => !(roomOf(file) in rooms))).toEqual([])
  })

  it('are listed in CONTRIBUTING.md as the law has them', () => {
    const page = readFileSync(path, 'utf8')
    expect(withGenerated(page, parts()), 'run `npm run docs` to rewrite the page').toBe(page)
  })

  it('only the panel and the SPA import the package by its name, and vue the bundled @svc/auth/mount', () => {
    const byName = imports.filter(({ to }) => to.startsWith('@svc/auth'))
    const bundled = ({ from, to }: Import) => roomOf(from) === 'web/vue' && to === '@svc/auth/mount'
    const others = byName.filter((one) => !bundled(one))
    expect(others.filter(({ from }) => !from.startsWith('panel')).map(inWords)).toEqual([])
    expect(byName.filter(({ to }) => !entries.has(to)).map(inWords)).toEqual([])
  })

  it('rules, client, react and the rooms of frameworks run in a browser: no node: builtins', () => {
    const builtins = imports.filter(
      ({ from, to }) => to.startsWith('node:') && !from.endsWith('.config.ts'),
    )
    expect(builtins.filter(({ from }) => browserRooms.has(roomOf(from))).map(inWords)).toEqual([])
  })

  it('follow no promises: `node:async_hooks` makes each of a request slower (docs/performance.md)', () => {
    expect(imports.filter(({ to }) => /^(?:node:)?async_hooks$/.test(to)).map(inWords)).toEqual([])
  })

  it('rules and client need no npm package at run time, except Valibot for bodies', () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        ['src/rules', 'web/client'].includes(roomOf(from)) &&
        !typeOnly &&
        !TOPS.test(to) &&
        !to.startsWith('node:') &&
        !(
          /^src\/rules\/(?:refusals|routes|validation|routes\/.*)\.ts$/.test(from) &&
          to === 'valibot'
        ),
    )
    expect(wrong.map(inWords)).toEqual([])
  })

  it('src, web and panel import no package that `npm start` does not install', () => {
    // Only builds import scripts.
    const run = imports.filter(
      ({ from, to }) => !(from.endsWith('.config.ts') && to.startsWith('scripts/')),
    )
    const names = run.map(({ to }) => /^(@[^/]+\/[^/]+|[a-z][^/]*)/.exec(to)?.[0] ?? '')
    const packages = names.filter((name) => !/^(?:src|web|panel|node:.*|@svc\/auth|)$/.test(name))
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const installed = { ...dependencies, ...devDependencies }
    // Types are enough where the code is the host's, or where the SPA has Preact in place of React.
    const declared = new Set(files.flatMap(modulesDeclaredIn))
    const missing = packages.filter(
      (name) => !(name in installed) && !(`@types/${name}` in installed) && !declared.has(name),
    )
    expect(missing).toEqual([])
  })

  it('client and react take only types from the route table', () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        ['web/client', 'web/react'].includes(roomOf(from)) &&
        /^src\/rules\/(?:refusals|routes|routes\/.*)\.ts$/.test(to) &&
        !typeOnly,
    )
    expect(wrong.map(inWords)).toEqual([])
  })

  it('pages of the panel run in a browser as they are: of everything else they take only types', () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        from.startsWith('panel/pages/') && !to.startsWith('panel/pages/') && !typeOnly,
    )
    expect(wrong.map(inWords)).toEqual([])
  })

  it('no file of src names another by new URL(…, import.meta.url), which bundlers cannot resolve', () => {
    const naming = files.filter(
      (file) =>
        file.startsWith('src/') &&
        /^(?!\s*(?:\/\/|\/?\*)).*new URL\([^)]*import\.meta\.url/m.test(readFileSync(file, 'utf8')),
    )
    expect(naming).toEqual([])
  })

  it('the built path of the hashing process is left alone by Turbopack, which cannot resolve it', () => {
    const code = builtCode('dist/server').join('\n')
    expect(code).toMatch(/fork\(\s*\/\* turbopackIgnore: true \*\//)
  })

  it('no file imports itself in a circle', () => {
    expect(cycles()).toEqual([])
  })
})

describe('files', () => {
  it('are named for what they hold, never utils, helpers or types', () => {
    expect(files.filter((file) => /^(utils?|helpers?|types?)\./.test(basename(file)))).toEqual([])
  })

  it('have no default exports', () => {
    const modules = files.filter((file) => !file.endsWith('.config.ts'))
    expect(modules.filter((file) => /^export default\b/m.test(readFileSync(file, 'utf8')))).toEqual(
      [],
    )
  })

  it(`have at most ${maxLines} lines in src and web`, () => {
    const library = files.filter((file) => !file.startsWith('panel/'))
    const long = library.filter(
      (file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > maxLines,
    )
    expect(long).toEqual([])
  })
})

function isAllowed(room: string, { to, typeOnly }: Import): boolean {
  const target = entries.get(to) ?? to
  if (!TOPS.test(target) || roomOf(target) === room) return true
  if (room === 'panel') return entries.has(to)
  const allowed = rooms[room]?.mayImport ?? []
  if (allowed.includes(roomOf(target)) || allowed.includes(target)) return true
  return typeOnly && allowed.includes(`type:${roomOf(target)}`)
}

function roomOf(file: string): string {
  const [top = '', room = ''] = file.split('/')
  return top === 'panel' ? top : `${top}/${room}`
}

function importsOf(file: string): Import[] {
  const statement =
    /^\s*(?:import|export)\s+(type\s)?(?:[^'";=()]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  const code = readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return Array.from(code.matchAll(statement), ([, type, fixed, dynamic]) => {
    const to = fixed ?? dynamic ?? ''
    const target = to.startsWith('.') ? posix.join(dirname(file), to) : to
    return { from: file, to: target, typeOnly: type !== undefined }
  })
}

/** Returns the packages whose types a file declares, because they are not installed here. */
function modulesDeclaredIn(file: string): readonly string[] {
  const declarations = readFileSync(file, 'utf8').matchAll(/^declare module '([^']+)'/gm)
  return Array.from(declarations, ([, name = '']) => name)
}

function cycles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const { from, to } of imports) if (from === file) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found
}

function publicEntries(): Map<string, string> {
  const paths = Object.entries(entrySources).map(([entry, source]): [string, string] => [
    importNameOf(entry),
    source,
  ])
  return new Map([...paths, ['@svc/auth/style.css', 'web/spa/style.css']])
}

function sourceFiles(room: string): string[] {
  if (!existsSync(room)) return []
  return readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs|js)$/.test(name))
    .map((name) => join(room, name))
}

function inWords({ from, to, typeOnly }: Import): string {
  return `${from} imports ${typeOnly ? 'type ' : ''}${to}`
}
