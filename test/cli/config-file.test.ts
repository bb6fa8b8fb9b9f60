import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { linkPackages } from '../support/linked-packages.ts'
import { temporaryFolder } from '../support/panel.ts'
import { HOST } from './command.ts'
import { SVC, svc } from '../support/svc.ts'
import { svcHere } from '../support/svc-here.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

const KEY = 'a key of the tests of 32 characters or more'

/** From Node 26 on, a call of tsx is deprecated. */
const QUIET = '--disable-warning=DEP0205'

const SERVICE = `import { createPanelAuth, defineConfig } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
const auth = createPanelAuth({
  config: {
    app: { url: 'http://localhost:3000', keys: [process.env.APP_KEY] },
    session_auth: { stateful: ['localhost:3000'] },
    svc: { prefix: 'admin', panels: ['main'] },
  },
  stores: memoryStores(),
  users: {
    findById: async () => null,
    findByEmail: async () => null,
    identify: () => ({ id: '1', email: 'ada@example.com', name: null }),
    passwordHash: () => null,
  },
  logger: { warn() {}, error() {} },
})
export default defineConfig({ auth })
`

function folderWith(name: string, text: string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), text)
  return folder
}

/**
 * As tsx: its main module lets Node read TypeScript, and a file in CommonJS gets a second copy of each package.
 */
function installLoader(cwd: string): void {
  const hooks = `export async function resolve(specifier, context, next) {
    const found = await next(specifier, context)
    const isCopy = /copied\\.ts$|\\?copy$/.test(context.parentURL)
    return isCopy && found.url.startsWith('file:') ? { ...found, url: found.url + '?copy' } : found
  }
  export async function load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context)
    const { source } = await next(url, { ...context, format: 'module' })
    return { format: 'module', shortCircuit: true, source: String(source).replace(': string', '') }
  }`
  const folder = join(cwd, 'node_modules/tsx')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "exports": "./loader.mjs" }')
  writeFileSync(
    join(folder, 'loader.mjs'),
    `import { register } from 'node:module'
    register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hooks))})`,
  )
}

describe('the configuration of svc', () => {
  it.each(['svc.config.js', 'svc.config.mjs'])('is %s of the current folder', async (name) => {
    const cwd = folderWith(name, `export { default } from ${JSON.stringify(HOST)}\n`)
    const env = { APP_KEY: KEY }
    if (name.endsWith('.js')) writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
    expect(await svc(['prune'], { cwd, env })).toMatchObject({ code: 0, stderr: '' })
  })

  describe('in TypeScript', () => {
    const readsTypeScript = Boolean(
      (process.features as { readonly typescript?: string | false }).typescript,
    )

    /** As `svc init` writes it: the configuration is JavaScript, and the service TypeScript. */
    function typescriptFolder(): string {
      const cwd = folderWith('svc.config.mjs', "export { default } from './auth.ts'\n")
      const file = `const file: string = ${JSON.stringify(HOST)}\n`
      writeFileSync(join(cwd, 'auth.ts'), `${file}export default (await import(file)).default\n`)
      writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
      return cwd
    }

    it('is read by an older Node with tsx of the application', async () => {
      const cwd = typescriptFolder()
      installLoader(cwd)
      expect(await svc(['prune'], { cwd, env: { APP_KEY: KEY } })).toMatchObject({
        code: 0,
        stderr: '',
      })
    })

    it('is read by tsx where tsconfig.json has settings that a Node with TypeScript ignores', async () => {
      const cwd = typescriptFolder()
      writeFileSync(join(cwd, 'tsconfig.json'), '{}')
      installLoader(cwd)
      const claim = "Object.defineProperty(process.features, 'typescript', { value: 'strip' })"
      const NODE_OPTIONS = `${QUIET} --import=data:text/javascript,${encodeURIComponent(claim)}`
      const { code, stderr } = await svc(['prune'], { cwd, env: { APP_KEY: KEY, NODE_OPTIONS } })
      expect([code, stderr]).toEqual([0, ''])
    })

    it.runIf(readsTypeScript).each([
      ['a path of tsconfig.json', "export { default } from '@/host'\n"],
      ['no extension', "export { default } from './host'\n"],
      ['an enum', 'export enum Kind { Staff }\n'],
    ])('names tsx for a file with %s', async (_what, text) => {
      const cwd = typescriptFolder()
      writeFileSync(join(cwd, 'tsconfig.json'), '{ "compilerOptions": { "paths": {} } }')
      writeFileSync(join(cwd, 'auth.ts'), text)
      const { code, stderr } = await svc(['prune'], { cwd, env: { APP_KEY: KEY } })
      expect([code, stderr]).toEqual([1, expect.stringContaining('npm install --save-dev tsx')])
    })

    it('is read by tsx in an application of CommonJS, with the copy of the package that it loads', async () => {
      const cwd = folderWith('svc.config.mjs', "export { default } from './copied.ts'\n")
      writeFileSync(join(cwd, 'package.json'), '{ "type": "commonjs" }')
      writeFileSync(join(cwd, 'copied.ts'), SERVICE)
      linkPackages(cwd, ['@svc/auth'])
      installLoader(cwd)
      const env = { APP_KEY: KEY, NODE_OPTIONS: QUIET }
      const { code, stderr } = await svc(['prune'], { cwd, env })
      expect([code, stderr]).toEqual([0, ''])
    })

    it.runIf(readsTypeScript)('names tsx where Node takes the file for CommonJS', async () => {
      const cwd = typescriptFolder()
      writeFileSync(join(cwd, 'package.json'), '{ "type": "commonjs" }')
      const { code, stderr } = await svc(['prune'], { cwd, env: { APP_KEY: KEY } })
      expect([code, stderr]).toEqual([1, expect.stringContaining('npm install --save-dev tsx')])
    })

    it.runIf(readsTypeScript)('is read by Node itself', async () => {
      expect(
        await svc(['prune'], { cwd: typescriptFolder(), env: { APP_KEY: KEY } }),
      ).toMatchObject({
        code: 0,
      })
    })

    it.skipIf(readsTypeScript)('names the remedy without tsx', async () => {
      const { code, stderr } = await svc(['prune'], {
        cwd: typescriptFolder(),
        env: { APP_KEY: KEY },
      })
      expect(code).toBe(1)
      expect(stderr).toContain('cannot read; install tsx (npm install --save-dev tsx)')
    })
  })

  it('says how to build a driver that was installed without being built', async () => {
    const file = '/srv/node_modules/better-sqlite3/build/better_sqlite3.node'
    const tried = `Could not locate the bindings file. Tried:\n → ${file}`
    const cwd = folderWith('svc.config.mjs', `throw new Error(${JSON.stringify(tried)})`)
    const { code, stderr } = await svc(['prune'], { cwd })
    expect([code, stderr]).toEqual([1, expect.stringContaining('`npm rebuild better-sqlite3`')])
    expect(stderr).not.toContain('.node')
  })

  it('does not turn the end by a signal into success', async () => {
    const cwd = folderWith(
      'svc.config.mjs',
      `import { closeOnSignals } from '@svc/auth/node'
      closeOnSignals({ close: async () => undefined })
      setInterval(() => undefined, 1000)
      console.log('waiting')
      export default () => new Promise(() => undefined)`,
    )
    linkPackages(cwd, ['@svc/auth'])
    const command = spawn(process.execPath, [SVC, 'prune'], { cwd })
    onTestFinished(() => void command.kill('SIGKILL'))
    await once(command.stderr, 'data')
    command.kill('SIGTERM')
    expect(await once(command, 'exit')).toEqual([null, 'SIGTERM'])
  })

  it('is missing: exits with 2 and prints how to create it', async () => {
    const { code, stdout, stderr } = await svc(['prune'], { cwd: temporaryFolder() })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('create svc.config.ts with `export default defineConfig({ auth })`')
  })

  it.each([
    ['exports nothing', 'export const auth = null\n', 'has no default export'],
    ['returns nothing', 'export default () => null\n', 'returns no object'],
    ['has no service', 'export default {}\n', 'auth: is missing'],
    ['has another object', 'export default { auth: { close() {} } }\n', 'another copy|this copy'],
  ])('%s: exits with 1 and prints the remedy', async (_what, text, said) => {
    const { code, stdout, stderr } = await svcHere(['prune'], {
      cwd: folderWith('svc.config.mjs', text),
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(said))
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('is closed after the command, also when the command fails', async () => {
    const env = { APP_KEY: KEY, TELL_CLOSE: 'true' }
    const failed = await svc(['--config', HOST, 'session', 'revoke', '--id', '2'], { env })
    expect(failed).toMatchObject({ code: 1, stderr: 'closed\nNo user has the id 2.\n' })
    expect(await svc(['--config', HOST, 'prune'], { env })).toMatchObject({ stderr: 'closed\n' })
  })

  it.each([
    ['a syntax error', 'export default {\n  auth: ,\n}\n', 2, "SyntaxError: Unexpected token ','"],
    ['a missing export', "\nimport { nothing } from 'node:fs'\n", 2, 'SyntaxError: The requested'],
    ['an unknown name', '\n\nexport default { auth: autth }\n', 3, 'ReferenceError: autth is not'],
    [
      'an address without a scheme',
      "export default\n  new URL('panel.example.com')\n",
      2,
      'TypeError: Invalid URL; an address has a scheme, such as APP_URL=https://panel',
    ],
    ['a mistake', 'export default () =>\n  null.auth\n', 2, 'TypeError: Cannot read'],
  ])('has %s: prints its file and line', async (_what, text, line, said) => {
    const cwd = folderWith('wrong.mjs', text)
    writeFileSync(join(cwd, 'svc.config.mjs'), "export { default } from './wrong.mjs'\n")
    // A wrong file that is imported is named, and not the one that imports it.
    for (const file of ['wrong.mjs', 'svc.config.mjs']) {
      const { code, stdout, stderr } = await svc(['--config', file, 'prune'], { cwd })
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`${join(cwd, 'wrong.mjs')}:${line}: ${said}`)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })

  it('names the remedy where it imports TypeScript that was not deployed with the compiled files', async () => {
    const cwd = folderWith('svc.config.mjs', "export { default } from './src/auth.ts'\n")
    const { code, stderr } = await svc(['prune'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toMatch(/Cannot find module '.*auth\.ts'.*; where only compiled files are, name/)
  })

  it('receives the name of the command', async () => {
    const env = { APP_KEY: KEY, BROKEN: 'true' }
    const { stderr } = await svc(['--config', HOST, 'user', 'unlock', '--email', 'a@b.test'], {
      env,
    })
    expect(stderr).toBe('cannot open for user unlock\n')
  })

  it('prints an error as JSON with --json', async () => {
    const { code, stdout, stderr } = await svc(
      ['--json', '--config', HOST, 'session', 'revoke', '--id', '2'],
      { env: { APP_KEY: KEY } },
    )
    expect([code, JSON.parse(stdout), stderr]).toEqual([1, { error: 'No user has the id 2.' }, ''])
  })
})

describe('the help and the version', () => {
  it.each([
    [['help'], 'Usage: svc [options] [command]'],
    [['help', 'user'], 'Usage: svc user'],
    [['help', 'user', 'create'], 'Usage: svc user create'],
    [['user', 'help', 'create'], 'Usage: svc user create'],
    [['user', 'create', '--help'], 'Usage: svc user create'],
  ])('%j prints them on standard output, and exits with 0', async (args, start) => {
    const { code, stdout, stderr } = await svcHere(args, { cwd: temporaryFolder() })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.startsWith(start)).toBe(true)
  })

  it('are JSON with --json', async () => {
    const help = ['help', 'user', 'create']
    const [asText, asJson] = [await svcHere(help), await svcHere(['--json', ...help])]
    expect(`${JSON.parse(asJson.stdout).text}\n`).toBe(asText.stdout)
    expect(JSON.parse((await svc(['--json', '--version'])).stdout)).toEqual({ text: version })
  })

  it('--version is that of the package', async () => {
    const cwd = temporaryFolder()
    const printed = { code: 0, stdout: `${version}\n`, stderr: '' }
    expect(await svc(['--version'], { cwd })).toEqual(printed)
  })

  it('refuse a command that there is not', async () => {
    expect(await svcHere(['help', 'user', 'nonsense'])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('a wrong usage of svc', () => {
  it.each([
    [['user', 'create', '--email', 'a@b.test', '--password=hunter2']],
    [['user', 'create', '--email', 'a@b.test', '--password', 'hunter2']],
    [['user', 'create', '--email', 'a@b.test', '-phunter2']],
    [['user', 'create', '--email', 'a@b.test', 'hunter2']],
    [['user', 'hunter2']],
    [['hunter2']],
    [['help', 'hunter2']],
    [['init', '--framework', "hunter2' or 'hunter2"]],
    [['doctor', '--url', 'ftp://ada:hunter2@panel.test']],
    [['--json', 'user', 'create', '--email', 'a@b.test', '--password=hunter2']],
    [['--json', 'hunter2']],
  ])('repeats no value that may be a secret: %j', async (args) => {
    const { code, stdout, stderr } = await svcHere(args, { cwd: temporaryFolder() })
    expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining('hunter2')])
  })

  it('names the option that is unknown', async () => {
    const { stderr } = await svcHere(['user', 'create', '--email', 'a@b.test', '--pasword=hunter2'])
    expect(stderr).toContain("unknown option '--pasword'")
  })

  it.each([
    [[]],
    [['nonsense']],
    [['prune', '--nonsense']],
    [['prune', 'nonsense']],
    [['prune', '--keep-notifications-days', '0']],
    [['session', 'revoke']],
    [['session', 'revoke', '--id', '1', '--email', 'ada@example.com']],
    [['notify', '--id', '1']],
    [['doctor', '--origin', 'https://a.test']],
    [['doctor', '--url', 'a.test']],
    [['--config', 'missing.mjs', 'prune']],
  ])('%j exits with 2 and prints nothing on standard output', async (args) => {
    const { code, stdout, stderr } = await svcHere(args, {
      env: { APP_KEY: KEY },
      cwd: temporaryFolder(),
    })
    const isAboutConfig = stderr.includes('svc.config')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toBe('')
    expect(isAboutConfig).toBe(args.length === 0 || stderr.includes('none of them'))
  })

  // The parser finds one of them, a command the other.
  it.each([[['prune', '--nonsense']], [['session', 'revoke']]])(
    '%j exits with 2 and prints the error as JSON with --json',
    async (args) => {
      const { code, stdout, stderr } = await svcHere(['--json', ...args], {
        cwd: temporaryFolder(),
      })
      expect([code, stderr]).toEqual([2, ''])
      expect(JSON.parse(stdout)).toEqual({ error: expect.stringMatching(/\S/) })
    },
  )
})
