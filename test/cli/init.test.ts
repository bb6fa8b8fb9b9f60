import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linkPackages } from '../support/linked-packages.ts'
import { svc } from '../support/svc.ts'
import { svcHere } from '../support/svc-here.ts'
import {
  application,
  expectAdministrator,
  init,
  prepare,
  write,
  type Written,
} from './prepared-application.ts'

const SLOW = { timeout: 120_000 }
const namesOf = ({ files }: Written): readonly string[] => files.map(({ path }) => path)

describe('svc init', () => {
  it.each([
    ['express', 'express', ['auth.js']],
    ['fastify', 'fastify', ['auth.js']],
    ['hono', 'hono', ['auth.js']],
    ['elysia', 'elysia', ['auth.js']],
    ['h3', 'h3', ['auth.js']],
    ['nitro', 'nitro', ['server/utils/auth.js']],
    ['nitropack', 'nitropack', ['server/utils/auth.js', 'server/middleware/panel.js']],
    ['@nestjs/core', 'nestjs', ['src/auth.js']],
    ['@sveltejs/kit', 'sveltekit', ['src/lib/server/auth.js']],
    ['nuxt', 'nuxt', ['server/utils/auth.js', 'server/middleware/panel.js']],
    ['@react-router/dev', 'react-router', ['app/auth.server.js', 'app/routes/panel.js']],
    [
      'next',
      'next',
      ['lib/auth.js', 'app/svc/api/[...path]/route.js', 'app/admin/[[...path]]/route.js'],
    ],
    ['left-pad', 'node', ['auth.js']],
  ])('finds %s', async (dependency, framework, files) => {
    const written = await init(application(dependency))
    expect(written.framework).toBe(framework)
    expect(namesOf(written)).toEqual([...files, 'svc.config.mjs', '.env'])
  })

  it.each([
    ['better-sqlite3', 'sqlite'],
    ['pg', 'postgres'],
    ['mysql2', 'mysql'],
  ])('finds the database by its driver %s', async (driver, database) => {
    expect((await init(application('express', driver))).database).toBe(database)
  })

  it('names the page of a client that it cannot open', async () => {
    const { steps } = await init(application('express', '@prisma/client', 'pg'))
    expect(steps[0]).toMatch(/^auth\.js opens a database itself; for Prisma: .*docs\/users\.md$/)
  })

  it('finds TypeScript by tsconfig.json', async () => {
    const cwd = application('next')
    writeFileSync(join(cwd, 'tsconfig.json'), '{}')
    const written = await init(cwd)
    expect(namesOf(written)).toContain('lib/auth.ts')
    const route = readFileSync(join(cwd, 'app/admin/[[...path]]/route.ts'), 'utf8')
    expect(route).toContain('(request: Request)')
  })

  it('writes a handle that TypeScript accepts with SvelteKit 2 and 3', async () => {
    const cwd = application('@sveltejs/kit')
    write(cwd, 'tsconfig.json', '{}')
    const { code } = await init(cwd)
    // 2 exports the type Handle from '@sveltejs/kit', and 3 from '@sveltejs/kit/hooks'.
    expect(code.join('\n')).not.toMatch(/\bHandle\b/)
    expect(code).toContain('export const handle = sequence(async ({ event, resolve }) => {')
  })

  it.each([
    [['src/app'], 'src/'],
    [['src/pages'], 'src/'],
    [['app', 'pages', 'src/app', 'src/pages'], ''],
  ])('writes where Next.js reads its routes: %j', async (folders, root) => {
    const cwd = application('next')
    for (const folder of folders) mkdirSync(join(cwd, folder), { recursive: true })
    const names = namesOf(await init(cwd)).slice(0, 2)
    expect(names).toEqual([`${root}lib/auth.js`, `${root}app/svc/api/[...path]/route.js`])
  })

  it.each([
    ['{ "compilerOptions": { "rootDir": "./code", "outDir": "dist" } }', 'code/auth.ts'],
    ['{ "compilerOptions": { "rootDir": "${configDir}/server/main/" } }', 'server/main/auth.ts'],
    ['{ "include": ["code/**/*.ts"] }', 'code/auth.ts'],
    ['{ "include": ["code"], "compilerOptions": { "rootDir": "." } }', 'code/auth.ts'],
    ['{ "include": ["code"], "compilerOptions": { "noEmit": true } }', 'auth.ts'],
    ['{ "include": ["code", "test"], // "rootDir": "./code"\n }', 'auth.ts'],
    ['{ /* "rootDir": "./code" */ "include": ["code/server.ts"] }', 'auth.ts'],
    ['{ "compilerOptions": { "rootDir": "../.." } }', 'auth.ts'],
  ])('writes where the sources of tsconfig.json are: %s', async (settings, path) => {
    const cwd = application('express')
    write(cwd, 'tsconfig.json', settings)
    expect(namesOf(await init(cwd))).toEqual([path, 'svc.config.mjs', '.env'])
    const config = readFileSync(join(cwd, 'svc.config.mjs'), 'utf8')
    expect(config).toContain(`from './${path}'`)
  })

  it('writes TypeScript that compiles where tsconfig.json has a rootDir', SLOW, async () => {
    const cwd = application('express', 'pg')
    linkPackages(cwd, ['@svc/auth', '@types/express', '@types/node', '@types/pg', 'express', 'pg'])
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      rootDir: './code',
      outDir: 'dist',
    }
    write(cwd, 'tsconfig.json', JSON.stringify({ compilerOptions }))
    const { code } = await init(cwd)
    const server = ["import express from 'express'", 'const app = express()', ...code]
    write(cwd, 'code/server.ts', server.join('\n'))
    const compiler = resolve('node_modules/.bin/tsc')
    expect(spawnSync(compiler, ['-p', '.'], { cwd, encoding: 'utf8' }).stdout).toBe('')
    expect(existsSync(join(cwd, 'dist/auth.js'))).toBe(true)
  })

  it('keeps every file that exists, and the key', async () => {
    const cwd = application('express')
    writeFileSync(join(cwd, 'auth.js'), 'mine')
    writeFileSync(join(cwd, '.env'), 'PORT=1')
    await init(cwd)
    const env = readFileSync(join(cwd, '.env'), 'utf8')
    expect(env).toMatch(/^PORT=1\nAPP_KEY=[\w+/]{43}=\n$/)
    const again = await init(cwd)
    expect(new Set(again.files.map(({ state }) => state))).toEqual(new Set(['kept']))
    expect(readFileSync(join(cwd, 'auth.js'), 'utf8')).toBe('mine')
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe(env)
  })

  it.each(['APP_KEY=mine', 'export APP_KEY=mine', ' APP_KEY = mine'])(
    'adds no second key to %j',
    async (line) => {
      const cwd = application('express')
      writeFileSync(join(cwd, '.env'), `${line}\n`)
      await init(cwd)
      expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe(`${line}\n`)
    },
  )

  it.each(['APP_KEY=', 'A=1\nAPP_KEY=""\nB=2', 'export APP_KEY= # to be made'])(
    'fills in a key that an example left empty: %j',
    async (lines) => {
      const cwd = application('express')
      writeFileSync(join(cwd, '.env'), `${lines}\n`)
      await init(cwd)
      const env = readFileSync(join(cwd, '.env'), 'utf8')
      expect(env.match(/APP_KEY=.*/g)).toEqual([expect.stringMatching(/^APP_KEY=[\w+/]{43}=$/)])
      expect(env.split('\n')).toHaveLength(lines.split('\n').length + 1)
    },
  )

  it.each(['svc.config.ts', 'svc.config.js'])('keeps to the %s that exists', async (name) => {
    const cwd = application('express')
    writeFileSync(join(cwd, name), 'mine')
    expect(namesOf(await init(cwd))).toEqual(['auth.js', name, '.env'])
    expect(readdirSync(cwd)).not.toContain('svc.config.mjs')
  })

  it.each([
    ['{ "name": ', 'package.json: cannot be read'],
    ['\uFEFF{}', null],
    ['null', null],
  ])('reads package.json as npm does, or says that it cannot: %j', async (text, reason) => {
    const cwd = application()
    writeFileSync(join(cwd, 'package.json'), text)
    const { code, stderr } = await svcHere(['init', '--dry-run'], { cwd })
    expect([code, stderr]).toEqual(reason === null ? [0, ''] : [2, expect.stringContaining(reason)])
  })

  it('names a file that cannot be written, and writes the rest afterwards', async () => {
    const cwd = application('@nestjs/core')
    writeFileSync(join(cwd, 'src'), '')
    const { code, stderr } = await svc(['init'], { cwd })
    expect([code, stderr]).toEqual([1, expect.stringContaining('src/auth.js: cannot be written')])
    rmSync(join(cwd, 'src'))
    expect((await init(cwd)).files.map(({ state }) => state)).not.toContain('kept')
  })

  it.each([
    ['.env', true],
    ['.env*', true],
    ['/.env', true],
    ['**/.env', true],
    ['*.env', true],
    ['.env.local', false],
    ['#.env', false],
    ['.env*\n!.env', false],
  ])('asks for .env in .gitignore unless it is there: %j', async (lines, isThere) => {
    const cwd = application('express')
    writeFileSync(join(cwd, '.gitignore'), `node_modules\n${lines}\n`)
    const { steps } = await init(cwd)
    expect(steps.some((step) => step.includes('.gitignore'))).toBe(!isThere)
  })

  it('finds .env in the .gitignore of the repository around the application', async () => {
    const cwd = application('express')
    const folder = join(cwd, 'packages/admin')
    mkdirSync(join(cwd, '.git'))
    writeFileSync(join(cwd, '.gitignore'), '.env*\n')
    write(folder, 'package.json', '{}')
    const { steps } = await init(folder)
    expect(steps.join()).not.toContain('.gitignore')
  })

  it('says so where other users can read the .env that has the key', async () => {
    const cwd = application('express')
    writeFileSync(join(cwd, '.env'), 'PORT=1\n', { mode: 0o644 })
    expect((await init(cwd)).steps.join()).toContain('chmod 600 .env')
    chmodSync(join(cwd, '.env'), 0o600)
    expect((await init(cwd)).steps.join()).not.toContain('chmod')
  })

  it('names pages that exist', async () => {
    const cwd = application('express')
    for (const prepared of [false, true]) {
      if (prepared) linkPackages(cwd, ['@svc/auth'])
      const { steps } = await init(cwd)
      const pages = steps.join('\n').match(/\S+\.md/g) ?? []
      expect(pages).toHaveLength(2)
      for (const page of pages) expect(existsSync(resolve(cwd, page)), page).toBe(true)
    }
  })

  it('lets only the owner read a new .env', async () => {
    const cwd = application('express')
    await init(cwd)
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600)
  })

  it('writes nothing with --dry-run', async () => {
    const cwd = application('next')
    const { files } = await init(cwd, '--dry-run')
    expect(new Set(files.map(({ state }) => state))).toEqual(new Set(['would write']))
    for (const { path } of files) expect(existsSync(join(cwd, path))).toBe(false)
  })

  it('names the driver that is missing', async () => {
    const { steps } = await init(application('express'), '--database', 'postgres')
    expect(steps[0]).toContain('npm install pg')
  })

  it.runIf(isBuiltin('node:sqlite'))('needs no driver where Node has SQLite', async () => {
    const cwd = application('express')
    const { steps } = await init(cwd)
    expect(steps.join()).not.toContain('npm install')
    expect(readFileSync(join(cwd, 'auth.js'), 'utf8')).toContain('openSqlite(')
  })

  it('keeps to the better-sqlite3 of the application', async () => {
    const cwd = application('express', 'better-sqlite3')
    await init(cwd)
    expect(readFileSync(join(cwd, 'auth.js'), 'utf8')).toContain("from 'better-sqlite3'")
  })

  it.each([
    ['better-sqlite3', '@types/better-sqlite3'],
    ['pg', '@types/pg'],
  ])('names the types of %s that are missing', async (driver, types) => {
    const cwd = application('express', driver)
    write(cwd, 'tsconfig.json', '{}')
    const install = `npm install --save-dev @types/node ${types}`
    expect((await init(cwd)).steps[0]).toContain(install)
    const typed = application('express', driver, '@types/node', types, 'tsx')
    write(typed, 'tsconfig.json', '{}')
    expect((await init(typed)).steps.join()).not.toContain('npm install')
  })

  it.each([
    ['{}', './auth.js'],
    ['{ "compilerOptions": { "allowImportingTsExtensions": true } }', './auth.ts'],
    ['{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }', './auth.ts'],
    // As `tsc --init` of TypeScript 5 writes it.
    [
      '{\n    // "allowImportingTsExtensions": true,     /* Allow imports to include … */\n}',
      './auth.js',
    ],
    [
      '{ "$schema": "https://a.test", "compilerOptions": { "allowImportingTsExtensions": true } }',
      './auth.ts',
    ],
  ])('imports the service as the compiler of tsconfig.json wants: %s', async (settings, from) => {
    const cwd = application('express')
    write(cwd, 'tsconfig.json', settings)
    expect((await init(cwd)).code).toContain(`import { auth } from '${from}'`)
  })

  it.each([
    ['sqlite', 'sqliteFactors'],
    ['postgres', 'postgresFactors'],
    ['mysql', 'mysqlFactors'],
  ])('binds a second factor in %s with --two-factor', async (database, factors) => {
    const cwd = application('express')
    const { steps } = await init(cwd, '--two-factor', '--database', database)
    const text = readFileSync(join(cwd, 'auth.js'), 'utf8')
    expect(text).toContain(`import { ${factors}, totp } from '@svc/auth/totp'`)
    expect(text).toContain(`factors: ${factors}(database), keys })`)
    expect(steps[0]).toMatch(/npm install .*otpauth qrcode$/)
  })

  it('says what to do with a file of another library where it would write', async () => {
    const cwd = application('next')
    write(cwd, 'lib/auth.js', "export const auth = betterAuth({ database: 'panel.db' })\n")
    const { steps } = await init(cwd)
    expect(steps[0]).toBe(
      'lib/auth.js was kept and does not create the service: rename it, and run this again.',
    )
    rmSync(join(cwd, 'lib/auth.js'))
    for (const _ of ['written', 'kept']) expect((await init(cwd)).steps[0]).not.toContain('rename')
  })

  it('says where to bind the second factor by hand in a file that it keeps', async () => {
    const cwd = application('express')
    const bind = expect.stringContaining('Bind the second factor in auth.js, which was kept')
    writeFileSync(join(cwd, 'auth.js'), 'mine')
    expect((await init(cwd, '--two-factor')).steps).toContainEqual(bind)
    expect((await init(cwd)).steps).not.toContainEqual(bind)
    rmSync(join(cwd, 'auth.js'))
    for (const _ of ['written', 'kept'])
      expect((await init(cwd, '--two-factor')).steps).not.toContainEqual(bind)
  })

  it('binds no second factor without --two-factor', async () => {
    const cwd = application('express')
    const { steps } = await init(cwd)
    expect(readFileSync(join(cwd, 'auth.js'), 'utf8')).not.toMatch(/totp|twoFactor/)
    expect(steps.join()).not.toContain('otpauth')
  })

  it.each(['express', 'next'])(
    'writes a second factor for %s that `svc` uses',
    async (framework) => {
      const cwd = application(framework)
      await prepare(cwd, [framework], '--two-factor')
      const { code, stdout, stderr } = await svc(['--env-file', '.env', 'two-factor', 'none'], {
        cwd,
      })
      expect([code, stderr, stdout]).toEqual([0, '', ''])
    },
  )

  it.each(['next', 'nuxt', '@sveltejs/kit', '@react-router/dev'])(
    'writes for %s what a build can import without the key, the variables and a database',
    async (framework) => {
      const cwd = application(framework)
      const { files } = await prepare(cwd, [framework])
      rmSync(join(cwd, 'panel.db'))
      const service = files[0]?.path ?? ''
      const code = `await import('./${service}'); console.log('imported')`
      const program = ['--input-type=module', '-e', code]
      const { stdout, stderr } = spawnSync(process.execPath, program, { cwd, encoding: 'utf8' })
      expect([stdout, stderr]).toEqual(['imported\n', ''])
      expect(readdirSync(cwd)).not.toContain('panel.db')
    },
  )
})

describe('an application that svc init has prepared', () => {
  it.each([
    [
      'express',
      ["import express from 'express'", 'const app = express()'],
      ['app.listen(PORT, READY)'],
    ],
    [
      'fastify',
      ["import fastify from 'fastify'", 'const app = fastify()'],
      ['app.listen({ port: PORT }, READY)'],
    ],
    ['node', [], []],
  ])(
    'logs its first administrator in with %s, and stops at SIGTERM',
    async (framework, before, after) => {
      const cwd = application(framework)
      const { code } = await prepare(cwd, [framework])
      const lines = [...before, ...code, ...after].join('\n')
      write(cwd, 'server.js', lines.replace('listen(3000)', 'listen(PORT, READY)'))
      await expectAdministrator(cwd, 'server.js')
    },
  )
})
