import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseNames } from '../../build/src/cli/init/databases.js'
import { linkPackages } from '../support/linked-packages.ts'
import { application, expectAdministrator, init, prepare, write } from './prepared-application.ts'

/** An application of CommonJS, as `npm init` writes it, with these dependencies. */
function commonJs(...dependencies: readonly string[]): string {
  const cwd = application(...dependencies)
  const path = join(cwd, 'package.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"module"', '"commonjs"'))
  return cwd
}

const STRICTEST = {
  module: 'nodenext',
  target: 'es2022',
  types: ['node'],
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
}

const DRIVERS = { sqlite: 'better-sqlite3', postgres: 'pg', mysql: 'mysql2' } as const

describe('svc init in an application of CommonJS', () => {
  it.each(databaseNames)('writes a service for %s that `require` loads', async (database) => {
    const cwd = commonJs('express', DRIVERS[database])
    linkPackages(cwd, ['@svc/auth', 'express', 'better-sqlite3', 'pg', 'mysql2'])
    const { code } = await init(cwd, '--two-factor')
    const start = code.filter((line) => line.includes('require')).join('\n')
    const env = {
      PATH: process.env['PATH'],
      APP_KEY: 'a key of the tests of 32 characters or more',
    }
    const options = { cwd, env, encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(process.execPath, ['-e', start], options)
    expect([status, stderr.replaceAll(/^\(.*\n/gm, '')]).toEqual([0, ''])
  })

  it.each(['postgres', 'mysql'])(
    'writes TypeScript for %s that compiles to CommonJS',
    { timeout: 120_000 },
    async (database) => {
      const cwd = commonJs('express')
      linkPackages(cwd, ['@svc/auth', '@types/node', '@types/pg', 'pg', 'mysql2'])
      write(cwd, 'tsconfig.json', '{ "compilerOptions": { "module": "commonjs" } }')
      await init(cwd, '--database', database)
      const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023']
      const compiler = resolve('node_modules/.bin/tsc')
      const args = [
        '--ignoreConfig',
        ...flags,
        '--types',
        'node',
        '--module',
        'commonjs',
        'auth.ts',
      ]
      expect(spawnSync(compiler, args, { cwd, encoding: 'utf8' }).stdout).toBe('')
    },
  )

  it('names the address of a database server that .env does not have', async () => {
    const cwd = commonJs('express', 'pg')
    expect((await init(cwd)).steps.join()).toContain('DATABASE_URL=postgres://')
    writeFileSync(join(cwd, '.env'), 'DATABASE_URL=postgres://localhost/app\n')
    expect((await init(cwd)).steps.join()).not.toContain('DATABASE_URL')
  })

  it('imports the service without an extension, because ts-node and Jest find no .js', async () => {
    const cwd = commonJs('express', 'better-sqlite3')
    write(cwd, 'tsconfig.json', '{}')
    expect((await init(cwd)).code).toContain("import { auth } from './auth'")
  })

  it('asks for tsx, because Node reads no imports of TypeScript there', async () => {
    const cwd = commonJs('express', 'better-sqlite3')
    write(cwd, 'tsconfig.json', '{}')
    expect((await init(cwd)).steps[0]).toMatch(/npm install --save-dev .*tsx/)
  })

  it.each([
    ['verbatimModuleSyntax', '"verbatimModuleSyntax": true', 'leave it out of tsconfig.json'],
    ['node16', '"module": "Node16"', 'write "nodenext" into tsconfig.json'],
    ['isolatedDeclarations', '"isolatedDeclarations": true', 'exports need types'],
  ])('says what to change for TypeScript with %s', async (_name, setting, said) => {
    const cwd = commonJs('express', 'better-sqlite3')
    write(cwd, 'tsconfig.json', `{ "compilerOptions": { ${setting} } }`)
    expect((await init(cwd)).steps).toContainEqual(expect.stringContaining(said))
  })

  it.each([
    ['5.7.3', 1],
    ['5.8.2', 0],
    ['7.0.2', 0],
  ])('says which TypeScript reads ES modules in CommonJS: %s', async (version, count) => {
    const cwd = commonJs('express', 'better-sqlite3')
    write(cwd, 'tsconfig.json', '{ "compilerOptions": { "module": "NodeNext" } }')
    write(cwd, 'node_modules/typescript/package.json', `{ "version": "${version}" }`)
    const said = (await init(cwd)).steps.filter((step) => step.includes('typescript@5.8'))
    expect(said).toHaveLength(count)
  })

  it.each([
    ['CommonJS', 'commonjs', {}],
    ['ES modules', 'module', { verbatimModuleSyntax: true }],
  ])(
    'writes TypeScript of %s that the strictest settings accept',
    { timeout: 120_000 },
    async (_name, type, more) => {
      const cwd = commonJs('express', 'better-sqlite3')
      write(
        cwd,
        'package.json',
        readFileSync(join(cwd, 'package.json'), 'utf8').replace('commonjs', type),
      )
      const types = ['@types/better-sqlite3', '@types/express', '@types/node']
      linkPackages(cwd, ['@svc/auth', 'better-sqlite3', 'express', ...types])
      const compilerOptions = { ...STRICTEST, ...more }
      write(cwd, 'tsconfig.json', JSON.stringify({ compilerOptions, exclude: ['node_modules'] }))
      const { code, steps } = await init(cwd, '--two-factor')
      expect(steps.join()).not.toContain('tsconfig.json')
      const server = ["import express from 'express'", 'const app = express()', ...code]
      // The second factor must not widen the type of the users.
      server.push(
        "import { userOf } from '@svc/auth/express'",
        "app.get('/me', (request, response) => {",
        '  response.json({ email: userOf(auth, request)?.email })',
        '})',
      )
      write(cwd, 'server.ts', server.join('\n'))
      const compiler = resolve('node_modules/.bin/tsc')
      expect(spawnSync(compiler, ['-p', '.'], { cwd, encoding: 'utf8' }).stdout).toBe('')
    },
  )

  it('logs its first administrator in with Express, and stops at SIGTERM', async () => {
    const cwd = commonJs('express')
    const { code } = await prepare(cwd, ['express'])
    const before = ["const express = require('express')", 'const app = express()']
    write(cwd, 'server.js', [...before, ...code, 'app.listen(PORT, READY)'].join('\n'))
    await expectAdministrator(cwd, 'server.js')
  })
})
