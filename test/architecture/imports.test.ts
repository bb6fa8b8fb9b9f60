import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entrySources } from '../../scripts/package-entries.mjs'

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const maxLines = 300

/** The imports that a room may have besides its own files; `type:` means `import type` only. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  rules: [],
  'notification-contract': [],
  contracts: ['notification-contract'],
  migrated: [],
  'hash-format': [],
  hashes: ['hash-format'],
  'session-store-contract': ['contracts'],
  'store-contracts': ['contracts', 'session-store-contract', 'migrated'],
  'driver-errors': [],
  errors: ['driver-errors'],
  timeout: [],
  'write-line': [],
  'service-contract': ['contracts', 'rules'],
  'session-openers': ['contracts', 'service-contract'],
  'guard-options': ['service-contract', 'errors', 'rules'],
  options: ['contracts', 'hash-format', 'store-contracts', 'service-contract', 'errors', 'rules'],
  settings: ['options', 'contracts', 'service-contract', 'errors', 'rules', 'core'],
  'start-checks': [
    'options',
    'settings',
    'contracts',
    'store-contracts',
    'service-contract',
    'errors',
    'rules',
    'core',
    'src/config/describe.ts',
  ],
  config: [
    'hash-format',
    'options',
    'settings',
    'start-checks',
    'contracts',
    'store-contracts',
    'service-contract',
    'errors',
    'rules',
    'core',
  ],
  core: [
    'contracts',
    'hash-format',
    'store-contracts',
    'service-contract',
    'driver-errors',
    'errors',
    'rules',
    'timeout',
    'write-line',
  ],
  http: [
    'session-openers',
    'core',
    'contracts',
    'store-contracts',
    'service-contract',
    'errors',
    'guard-options',
    'rules',
  ],
  'panel-origins': ['options', 'settings', 'contracts', 'errors', 'core', 'http'],
  'service-parts': ['options', 'settings', 'store-contracts', 'service-contract', 'core', 'http'],
  'import-source': ['contracts'],
  'open-once': ['contracts'],
  'command-config': ['contracts', 'service-contract', 'migrated', 'import-source'],
  'panel-auth': [
    'panel-origins',
    'service-parts',
    'session-openers',
    'options',
    'settings',
    'start-checks',
    'config',
    'contracts',
    'store-contracts',
    'service-contract',
    'errors',
    'rules',
    'core',
    'http',
    'src/adapters/fetch.ts',
  ],
  index: [
    'command-config',
    'import-source',
    'migrated',
    'open-once',
    'options',
    'config',
    'contracts',
    'store-contracts',
    'service-contract',
    'errors',
    'rules',
    'core',
    'http',
    'panel-auth',
  ],
  stores: [
    'contracts',
    'store-contracts',
    'service-contract',
    'errors',
    'migrated',
    'rules',
    'timeout',
    'write-line',
  ],
  users: [
    'contracts',
    'errors',
    'rules',
    'write-line',
    'src/core/email/email-address.ts',
    'src/stores/batch-per-tick.ts',
    'src/stores/sqlite/access.ts',
    'src/stores/sqlite/driver.ts',
    'src/stores/sqlite/service-connection.ts',
    'src/stores/sqlite/sqlite-errors.ts',
    'src/stores/sqlite/statement.ts',
  ],
  adapters: [
    'contracts',
    'service-contract',
    'errors',
    'guard-options',
    'src/rules/limits.ts',
    'src/rules/wire.ts',
    'server',
  ],
  server: ['service-contract', 'errors', 'rules', 'write-line'],
  cli: [
    'command-config',
    'contracts',
    'errors',
    'import-source',
    'index',
    'migrated',
    'rules',
    'service-contract',
    'service-parts',
    'write-line',
    'src/core/bell/notifications.ts',
    'src/core/email/email-address.ts',
    'src/core/email/email-state.ts',
    'src/core/loopback.ts',
    'src/core/passwords/password-hashes.ts',
    'src/core/timeouts.ts',
    'type:core',
    'type:http',
    'type:store-contracts',
  ],
  client: ['rules'],
  react: ['client', 'rules'],
  'react-admin': ['client', 'react'],
  refine: ['client', 'react'],
  vue: ['client', 'spa/mount.ts'],
  testing: [
    'session-openers',
    'contracts',
    'store-contracts',
    'service-contract',
    'errors',
    'rules',
    'src/stores/memory/stores.ts',
  ],
  spa: ['react', 'client'],
  panel: [],
}
const browserRooms = new Set(['rules', 'client', 'react', 'react-admin', 'refine', 'vue'])

const entries = publicEntries()
const files = ['src', 'spa', 'panel'].flatMap(sourceFiles)
const imports = files.flatMap(importsOf)

describe('rooms', () => {
  it.each(Object.keys(mayImport))('%s imports only what it may', (room) => {
    const wrong = imports.filter((one) => roomOf(one.from) === room && !isAllowed(room, one))
    expect(wrong.map(inWords)).toEqual([])
  })

  it('every file of src belongs to a room', () => {
    expect(files.filter((file) => !(roomOf(file) in mayImport))).toEqual([])
  })

  it('only the panel and the SPA import the package by its name, and vue the bundled @svc/auth/mount', () => {
    const byName = imports.filter(({ to }) => to.startsWith('@svc/auth'))
    const bundled = ({ from, to }: Import) => roomOf(from) === 'vue' && to === '@svc/auth/mount'
    const others = byName.filter((one) => !bundled(one))
    expect(others.filter(({ from }) => from.startsWith('src/')).map(inWords)).toEqual([])
    expect(byName.filter(({ to }) => !entries.has(to)).map(inWords)).toEqual([])
  })

  it('rules, client, react and the rooms of frameworks run in a browser: no node: builtins', () => {
    const builtins = imports.filter(({ to }) => to.startsWith('node:'))
    expect(builtins.filter(({ from }) => browserRooms.has(roomOf(from))).map(inWords)).toEqual([])
  })

  it('rules and client need no npm package at run time, except Valibot for the payloads', () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        ['rules', 'client'].includes(roomOf(from)) &&
        !typeOnly &&
        !/^(src|spa|panel)\/|^node:/.test(to) &&
        !(/^src\/rules\/(?:payloads|validation)\.ts$/.test(from) && to === 'valibot'),
    )
    expect(wrong.map(inWords)).toEqual([])
  })

  it('src, spa and panel import no package that `npm start` does not install', () => {
    const names = imports.map(({ to }) => /^(@[^/]+\/[^/]+|[a-z][^/]*)/.exec(to)?.[0] ?? '')
    const packages = names.filter((name) => !/^(?:src|spa|panel|node:.*|@svc\/auth|)$/.test(name))
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const installed = { ...dependencies, ...devDependencies }
    // Types are enough where the code is the host's, or where the SPA has Preact in place of React.
    const declared = new Set(files.flatMap(modulesDeclaredIn))
    const missing = packages.filter(
      (name) => !(name in installed) && !(`@types/${name}` in installed) && !declared.has(name),
    )
    expect(missing).toEqual([])
  })

  it('client and react take only types from the payloads', () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        ['client', 'react'].includes(roomOf(from)) && to === 'src/rules/payloads.ts' && !typeOnly,
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
    const built = readdirSync('dist/server').filter((name) => name.endsWith('.js'))
    const code = built.map((name) => readFileSync(join('dist/server', name), 'utf8')).join('\n')
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

  it(`of src have at most ${maxLines} lines`, () => {
    const library = files.filter((file) => file.startsWith('src/'))
    const long = library.filter(
      (file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > maxLines,
    )
    expect(long).toEqual([])
  })
})

function isAllowed(room: string, { to, typeOnly }: Import): boolean {
  const target = entries.get(to) ?? to
  if (!/^(src|spa|panel)\//.test(target) || roomOf(target) === room) return true
  if (room === 'panel') return entries.has(to)
  const allowed = mayImport[room] ?? []
  if (allowed.includes(roomOf(target)) || allowed.includes(target)) return true
  return typeOnly && allowed.includes(`type:${roomOf(target)}`)
}

function roomOf(file: string): string {
  const [top = '', room = ''] = file.split('/')
  return top === 'src' ? room.replace(/\.ts$/, '') : top
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
  const paths = Object.entries(entrySources()).map(([entry, source]): [string, string] => [
    posix.join('@svc/auth', entry),
    source,
  ])
  return new Map(paths)
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
