import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtCode, importedBy, reachedFrom } from '../support/imports.ts'
import { packedFiles } from '../support/packed.ts'
import { temporaryFolder } from '../support/panel.ts'

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
  const loaded = modulesOf(`import '@svc/auth'`)
  const own = loaded.filter((file) => !file.includes('/node_modules/'))

  it('loads few files, so that it is quick', () => {
    expect(own.length).toBeLessThanOrEqual(12)
    const bytes = own.reduce((sum, file) => sum + statSync(file).size, 0)
    // Code that only a few requests need is imported by the first of them.
    expect(bytes, 'bytes that a start reads').toBeLessThan(434_000)
  })

  it('loads no other package than Valibot', () => {
    const packages = loaded.filter((file) => !own.includes(file)).map(packageOf)
    expect(new Set(packages)).toEqual(new Set(['valibot']))
  })
})

describe.each(['users', 'totp'])("import '@svc/auth/%s'", (entry) => {
  it('names no driver of a server, which a bundler would look for', () => {
    const reached = [...reachedFrom([`dist/server/${entry}.js`]).values()]
    const named = reached.flatMap(importedBy).filter((name) => /^(?:pg|mysql2)\b/.test(name))
    expect(named).toEqual([])
  })
})

/** A person logs in, out, and calls routes of layers. `options` are those that a host binds. */
const life = (options: string): string => `
  import { createPanelAuth, hashPassword } from '@svc/auth'
  import { memoryStores } from '@svc/auth/memory'
  const user = { id: '1', email: 'a@x.test', hash: await hashPassword('secret', { memoryKiB: 64, passes: 1 }) }
  const origin = 'http://localhost:3000'
  const auth = createPanelAuth({
    config: {
      app: { url: origin, keys: ['a key of the tests of 32 characters'] },
      session_auth: { stateful: ['localhost:3000'] },
      svc: { prefix: 'admin', panels: ['main'] },
    },
    stores: memoryStores(),
    users: {
      findById: () => user,
      findByEmail: () => user,
      identify: ({ id, email }) => ({ id, email, name: null }),
      passwordHash: ({ hash }) => hash,
    },
    ${options}
  })
  const jar = new Map()
  async function send(method, path, body) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const headers = { origin, cookie, 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '', 'content-type': 'application/json' }
    const answer = await auth.fetch(new Request(origin + '/svc/api/' + path, { method, headers, body }), { address: '203.0.113.1' })
    for (const line of answer.headers.getSetCookie()) jar.set(...line.split(';')[0].split('='))
    return answer.status
  }
  await send('GET', 'csrf-cookie')
  await send('POST', 'login', JSON.stringify({ email: user.email, password: 'wrong' }))
  const status = await send('POST', 'login', JSON.stringify({ email: user.email, password: 'secret' }))
  if (status !== 200) throw new Error('the login is ' + status)
  for (const path of ['user', 'sessions', 'activity', 'trusted-devices', 'two-factor', 'openapi.json']) await send('GET', path)
  for (const read of globalThis.gauges ?? []) await read()
  for (const path of ['confirm', 'password/forgot', 'password/reset', 'sessions/disown']) await send('POST', path, '{}')
  await send('POST', 'logout')
  await auth.close()
`

describe('a service whose host binds no layer', () => {
  const layers =
    /chunk-(activity|common-passwords|confirmation|end-impersonation|factor-devices|link-tokens|login-notices|password|session-layer|trusted)/
  const loaded = (options = '') => modulesOf(life(options)).filter((file) => layers.test(file))

  it('loads none of them for a login and the calls of their routes', () => {
    expect(loaded()).toEqual([])
    expect(loaded('activity: true,').map((file) => layers.exec(file)?.[1])).toEqual(['activity'])
  })
})

describe('a service that is ready', () => {
  it('has loaded what its layers need, so that nothing is read while it serves', () => {
    const bound = `activity: true, confirmation: true, passwords: { set() {} }, impersonation: { allows: () => true },
      sessions: { devices: true }, mailer: { send() {} },
      telemetry: { add() {}, record() {}, gauge: (_, read) => void (globalThis.gauges ??= []).push(read) }, `
    const ready = life(bound).replace(/const jar[^]*await auth/, 'await auth.ready(); await auth')
    const first = modulesOf(ready)
    const all = modulesOf(life(bound).replace('const jar', 'await auth.ready(); const jar'))
    expect(all.filter((file) => !first.includes(file))).toEqual([])
    expect(first.filter((file) => /chunk-(activity|password|session)-l/.test(file))).toHaveLength(3)
  })
})

it('the reference panel has loaded what sends its mails before it listens', () => {
  const panel = modulesOf(`
    import { readSettings } from './build/panel/environment.js'
    import { startPanel } from './build/panel/panel.js'
    const { stop } = await startPanel(readSettings({ PORT: '0', SVC_DATA: ${JSON.stringify(temporaryFolder())} }))
    await stop()`)
  expect(panel.filter((file) => packageOf(file) === 'nodemailer')).not.toEqual([])
})

describe('the bundle of the server', () => {
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

function modulesOf(script: string): readonly string[] {
  const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(HOOK))})`
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
