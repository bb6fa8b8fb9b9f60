import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

const LOCK = {
  packages: {
    '': {
      workspaces: ['test/packages'],
      dependencies: { valibot: '1.0.0' },
      devDependencies: { 'better-sqlite3': '1.0.0', vite: '1.0.0' },
      peerDependencies: { express: '>=4' },
      peerDependenciesMeta: { express: { optional: true } },
    },
    'node_modules/@svc/auth-test': { resolved: 'test/packages', link: true },
    'node_modules/better-sqlite3': {
      version: '1.0.0',
      integrity: 'sha512-sqlite',
      hasInstallScript: true,
    },
    'node_modules/express': { version: '1.0.0', integrity: 'sha512-express', devOptional: true },
    'node_modules/lightningcss-win32': { version: '1.0.0', optional: true },
    'node_modules/postcss': { version: '1.0.0', integrity: 'sha512-postcss' },
    'node_modules/vite': { version: '1.0.0', dependencies: { postcss: '^1.0.0' } },
    'node_modules/vitest': {
      version: '1.0.0',
      integrity: 'sha512-vitest',
      hasInstallScript: true,
    },
    'node_modules/valibot': { version: '1.0.0', integrity: 'sha512-valibot' },
    'test/packages': { devDependencies: { express: '1.0.0', vitest: '1.0.0' } },
  },
}

/** The packages that `npm ci --workspaces=false` leaves out of `LOCK`. */
const OF_TESTS = /vitest|express|auth-test|^test/

/** Notes how it is called, and leaves in node_modules what npm would leave there. */
const NPM = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
const [command, ...flags] = process.argv.slice(2)
// better-sqlite3 is compiled in a project of its own.
const compiles = !existsSync('npm.mjs')
const call = compiles ? 'compile' : [command, ...flags].join(' ')
appendFileSync(process.env.FOLDER + '/calls', call + '\\n')
const binary = 'node_modules/better-sqlite3/build/Release'
if (command === 'ci') rmSync('node_modules', { recursive: true, force: true })
if (command === 'ci' || command === 'install') {
  mkdirSync('node_modules', { recursive: true })
  if (existsSync('interrupt')) process.exit(7)
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const left = flags.includes('--workspaces=false') ? ${OF_TESTS} : /^$/
  const installed = Object.entries(packages).filter(([path, { optional }]) => !optional && path !== '' && !left.test(path))
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(installed) }))
}
if (command === 'run') writeFileSync('built', '')
if (compiles && existsSync(process.env.FOLDER + '/break')) process.exit(9)
for (const end = Date.now() + 10_000; compiles && !existsSync(process.env.FOLDER + '/built'); ) {
  if (Date.now() > end) process.exit(8)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
if (command === 'ci' && !flags.includes('--ignore-scripts')) mkdirSync(binary, { recursive: true })
if (existsSync(binary)) writeFileSync(binary + '/better_sqlite3.node', 'compiled')
`

const SCRIPTS = ['ensure.mjs', 'lock-file.mjs', 'sqlite-binary.mjs', 'temporary-folder.mjs']
const CI = 'ci --ignore-scripts --no-audit --no-fund'
const CI_OF_PANEL = 'ci --workspaces=false --ignore-scripts --no-audit --no-fund'
const ADD = 'install --no-save --ignore-scripts --no-audit --no-fund'
const REBUILD = 'rebuild ./node_modules/vitest'
const COMPILE = 'compile'
const BUILD = 'run --silent build:code'
/** A Node with its own SQLite, where only the tests use better-sqlite3. */
const [ofPanel, ofTests] = isBuiltin('node:sqlite') ? [[], [COMPILE]] : [[COMPILE], []]

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-ensure-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of SCRIPTS) {
    cpSync(join('scripts', name), join(folder, 'scripts', name))
  }
  writeFileSync(join(folder, 'npm.mjs'), NPM)
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK))
})

describe('the first start', () => {
  it('installs without the workspace of the tests when it is of the panel', () => {
    expect(ensure('panel')).toEqual([CI_OF_PANEL, ...ofPanel, BUILD].toSorted())
  })

  it('installs everything when it is of the tests', () => {
    expect(ensure()).toEqual([CI, COMPILE, REBUILD, BUILD].toSorted())
  })

  it('prints what it does and how long it took', () => {
    const { stdout } = run(['panel'])
    expect(stdout).toMatch(/^ensure: installing what the panel needs \(npm ci\)$/m)
    expect(stdout).toMatch(/^ensure: finished building in \d+\.\d s$/m)
  })
})

describe('later', () => {
  it('the panel needs nothing after the panel', () => {
    ensure('panel')
    expect(ensure('panel')).toEqual([])
  })

  it('the panel needs nothing after the tests', () => {
    ensure()
    expect(ensure('panel')).toEqual([])
  })

  it('the tests add what is missing after the panel, and need nothing then', () => {
    ensure('panel')
    expect(ensure()).toEqual([...ofTests, ADD, REBUILD])
    expect(ensure()).toEqual([])
    expect(ensure('panel')).toEqual([])
  })

  it('the tests need nothing after an install by hand', () => {
    ensure()
    rmSync(join(folder, 'node_modules/.node-abi'))
    expect(ensure()).toEqual([])
  })

  it('the tests compile what was installed without scripts, while the build runs', () => {
    ensure()
    for (const path of ['built', 'build', 'cache', 'node_modules/better-sqlite3']) remove(path)
    expect(ensure()).toEqual([COMPILE, BUILD])
  })
})

describe.skipIf(isBuiltin('node:sqlite'))('the compiled better-sqlite3', () => {
  const binary = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'

  /** Leaves what a fresh clone has, and the cache of npm. */
  const cloneAgain = (): void => {
    for (const path of ['node_modules', 'build', 'built']) remove(path)
  }

  it('is kept beside the cache of npm for the next clone', () => {
    ensure('panel')
    cloneAgain()
    expect(ensure('panel')).toEqual([CI_OF_PANEL, BUILD].toSorted())
    expect(readFileSync(join(folder, binary), 'utf8')).toBe('compiled')
  })

  it('is compiled again when the kept one is not what it was', () => {
    ensure('panel')
    const kept = join(folder, 'cache/_svc-auth')
    for (const name of readdirSync(kept, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.node')) writeFileSync(join(kept, name), 'altered')
    cloneAgain()
    expect(ensure('panel')).toContain(COMPILE)
    expect(readFileSync(join(folder, binary), 'utf8')).toBe('compiled')
  })

  it('is compiled again for another release of it', () => {
    ensure('panel')
    cloneAgain()
    changeLock('node_modules/better-sqlite3', { version: '1.0.1', integrity: 'sha512-other' })
    expect(ensure('panel')).toContain(COMPILE)
  })
})

describe.skipIf(isBuiltin('node:sqlite'))('a compiler that is missing', () => {
  it('is named, with the remedy, after the lines of npm', () => {
    writeFileSync(join(folder, 'break'), '')
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/make'), '')
    const { status, stderr } = run(['panel'], { PATH: join(folder, 'bin') })
    expect(status).toBe(1)
    expect(stderr).toContain('this machine lacks python3, g++')
    expect(stderr).toContain('sudo apt-get install python3 g++')
    expect(stderr).toContain('Node 22.13')
  })
})

describe('an interrupted start', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('leaves no folder behind after %s', async (signal) => {
    // The compiler waits for the end of the build, which never comes.
    writeFileSync(join(folder, 'interrupt'), '')
    mkdirSync(join(folder, 'tmp'))
    const child = spawn(process.execPath, [join(folder, 'scripts/ensure.mjs'), 'panel'], {
      env: environment({ TMPDIR: join(folder, 'tmp') }),
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    if (!isBuiltin('node:sqlite'))
      await vi.waitFor(() => expect(temporaryFolders()).toHaveLength(1))
    child.kill(signal)
    await ended
    expect(temporaryFolders()).toEqual([])
  })

  it('that was killed leaves its folder to the next one, which removes it', () => {
    const abandoned = join(folder, 'tmp/svc-sqlite-4194304-abcdef')
    const alive = join(folder, `tmp/svc-sqlite-${process.pid}-abcdef`)
    for (const path of [abandoned, alive]) mkdirSync(path, { recursive: true })
    run(['panel'], { TMPDIR: join(folder, 'tmp') })
    expect(existsSync(abandoned)).toBe(isBuiltin('node:sqlite'))
    expect(existsSync(alive)).toBe(true)
  })
})

describe('the script of a start', () => {
  it('installs anew after an interrupted install', () => {
    writeFileSync(join(folder, 'interrupt'), '')
    expect(run(['panel']).status).toBe(7)
    remove('interrupt')
    expect(ensure('panel')).toContain(CI_OF_PANEL)
  })

  it('installs anew after an interrupted addition', () => {
    ensure('panel')
    writeFileSync(join(folder, 'interrupt'), '')
    expect(run().status).toBe(7)
    remove('interrupt')
    expect(ensure()).toContain(CI)
  })

  it('installs anew for the panel, too, after an interrupted addition', () => {
    ensure('panel')
    writeFileSync(join(folder, 'interrupt'), '')
    run()
    remove('interrupt')
    expect(ensure('panel')).toContain(CI_OF_PANEL)
  })

  it.each(['valibot', 'postcss'])(
    'installs anew when the lock file has another release of %s',
    (name) => {
      ensure('panel')
      changeLock(`node_modules/${name}`, { version: '1.0.1' })
      expect(ensure('panel')).toContain(CI_OF_PANEL)
    },
  )

  it('installs anew when a package is no longer in the lock file', () => {
    ensure()
    changeLock('node_modules/valibot', undefined)
    expect(ensure()).toContain(CI)
  })

  it('installs anew when the panel needs another package', () => {
    ensure('panel')
    changeLock('node_modules/vite/node_modules/postcss', { version: '2.0.0' })
    expect(ensure('panel')).toContain(CI_OF_PANEL)
  })

  it('installs anew on another release line of Node', () => {
    ensure('panel')
    writeFileSync(join(folder, 'node_modules/.node-abi'), '93-linux-x64')
    expect(ensure('panel')).toContain(CI_OF_PANEL)
  })
})

/** Runs the script to its end, and returns how it called npm. */
function ensure(...args: readonly string[]): readonly string[] {
  const { status, stderr } = run(args)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const calls = join(folder, 'calls')
  const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
  rmSync(calls, { force: true })
  // Compiling and building begin together.
  return lines.toSorted()
}

function run(args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, [join(folder, 'scripts/ensure.mjs'), ...args], {
    encoding: 'utf8',
    env: environment(more),
  })
}

function environment(more: Readonly<Record<string, string>>) {
  const cache = join(folder, 'cache')
  const npm = { npm_config_cache: cache, npm_execpath: join(folder, 'npm.mjs') }
  return { ...process.env, ...npm, FOLDER: folder, ...more }
}

const temporaryFolders = () => readdirSync(join(folder, 'tmp'))

function changeLock(path: string, entry: object | undefined): void {
  const packages = { ...LOCK.packages, [path]: entry }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
}

function remove(path: string): void {
  rmSync(join(folder, path), { recursive: true, force: true })
}
