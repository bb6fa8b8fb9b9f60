import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'
import { svc } from './command.ts'
import {
  application,
  expectAdministrator,
  init,
  prepare,
  write,
  type Written,
} from './prepared-application.ts'

const namesOf = ({ files }: Written): readonly string[] => files.map(({ path }) => path)

describe('svc init', () => {
  it.each([
    ['express', 'express', ['auth.js']],
    ['fastify', 'fastify', ['auth.js']],
    ['hono', 'hono', ['auth.js']],
    ['elysia', 'elysia', ['auth.js']],
    ['@nestjs/core', 'nestjs', ['src/auth.js']],
    ['@sveltejs/kit', 'sveltekit', ['src/lib/server/auth.js']],
    ['nuxt', 'nuxt', ['server/utils/auth.js', 'server/middleware/panel.js']],
    ['@react-router/dev', 'react-router', ['app/auth.js', 'app/routes/panel.js']],
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

  it('finds TypeScript by tsconfig.json', async () => {
    const cwd = application('next')
    writeFileSync(join(cwd, 'tsconfig.json'), '{}')
    const written = await init(cwd)
    expect(namesOf(written)).toContain('lib/auth.ts')
    const route = readFileSync(join(cwd, 'app/admin/[[...path]]/route.ts'), 'utf8')
    expect(route).toContain('(request: Request)')
  })

  it('writes below the folder src where Next.js has its routes there', async () => {
    const cwd = application('next')
    mkdirSync(join(cwd, 'src/app'), { recursive: true })
    const written = await init(cwd)
    expect(namesOf(written).slice(0, 2)).toEqual([
      'src/lib/auth.js',
      'src/app/svc/api/[...path]/route.js',
    ])
    expect(written.code.join()).toContain("['@svc/auth', 'better-sqlite3']")
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

  it('needs a package.json', async () => {
    const { code, stderr } = await svc(['init'], { cwd: temporaryFolder() })
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no package.json')])
  })
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
  ])('with %s logs its first administrator in', async (framework, before, after) => {
    const cwd = application(framework)
    const { code } = await prepare(cwd, framework)
    const lines = [...before, ...code, ...after].join('\n')
    write(cwd, 'server.js', lines.replace('listen(3000)', 'listen(PORT, READY)'))
    await expectAdministrator(cwd, 'server.js')
  })
})
