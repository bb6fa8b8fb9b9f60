import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { OLDEST } from '../../scripts/examples/oldest.mjs'
import { packTarball } from '../support/packed.ts'

/** An application of its own, whose packages are those of this project and the packed one. */
const application = resolve('.cache/commonjs')
const packed = join(application, 'node_modules/@svc/auth')
const STRICT = ['--strict', '--skipLibCheck', '--types', 'node', '--target', 'es2023']
/** The compiler needs seconds of one core, and other tests run beside it. */
const COMPILING = { timeout: 120_000 }

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object }
const entries = Object.keys(exports)
  .filter((entry) => !/\.(?:json|css)$/.test(entry))
  // Their frameworks are not installed here; applications of a browser have a bundler.
  .filter((entry) => !(entry.replace('./', '') in OLDEST))
  .map((entry) => entry.replace('.', '@svc/auth'))

beforeAll(() => {
  rmSync(application, { recursive: true, force: true })
  mkdirSync(packed, { recursive: true })
  execFileSync('tar', ['xzf', packTarball(application), '-C', packed, '--strip-components=1'])
  writeFileSync(join(application, 'package.json'), '{ "name": "application", "private": true }')
  cpSync('test/architecture/consumers/commonjs.ts', join(application, 'server.cts'))
  cpSync('test/architecture/consumers/commonjs.ts', join(application, 'server.ts'))
}, 120_000)

describe('An application in CommonJS', () => {
  it('loads every entry by require, without a warning', async () => {
    const script = `for (const entry of ${JSON.stringify(entries)})
      console.log(JSON.stringify([entry, Object.keys(require(entry))]))`
    const { stdout, stderr } = run(process.execPath, ['-e', script])
    expect(stderr).toBe('')
    const imported = entries.map(async (entry) => {
      const module = (await import(/* @vite-ignore */ entry)) as object
      return [entry, Object.keys(module)]
    })
    const required = stdout.trim().split('\n')
    expect(required.map((line): unknown => JSON.parse(line))).toEqual(await Promise.all(imported))
  })

  it.each([
    ['nodenext', 'server.cts', 'server.cjs'],
    // TypeScript 7 then resolves as bundlers do; examples/nestjs-cjs compiles by TypeScript 5.
    ['commonjs', 'server.ts', 'server.js'],
  ])('compiles and runs with `"module": "%s"`', COMPILING, (module, source, compiled) => {
    const compiler = resolve('node_modules/.bin/tsc')
    expect(run(compiler, ['--ignoreConfig', ...STRICT, '--module', module, source]).stdout).toBe('')
    const { stdout, stderr } = run(process.execPath, [compiled])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ status: 401, parts: ['function'] })
  })
})

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { cwd: application, encoding: 'utf8' })
}
