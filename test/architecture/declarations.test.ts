import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'

/** As strict as a host can be: our declarations are checked too. */
const STRICT = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', '']
const BROWSER = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable']

it('what a page without a framework imports is declared without one', () => {
  const consumer = 'test/architecture/consumers/mount.ts'
  const args = ['--ignoreConfig', '--listFiles', ...STRICT, ...BROWSER, consumer]
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', args, { encoding: 'utf8' })
  const lines = stdout.trim().split('\n')
  expect(lines.filter((line) => line.includes(': error '))).toEqual([])
  expect(status).toBe(0)
  expect(lines).toContainEqual(expect.stringContaining('/dist/web/mount.d.ts'))
  expect(lines.filter((line) => /react/.test(line))).toEqual([])
})

it('types the user of the host from `present` to `useUser`', () => {
  const consumer = 'test/architecture/consumers/host-user.ts'
  const types = ['--types', 'node']
  const args = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', ...types, ...BROWSER]
  const { stdout } = spawnSync('node_modules/.bin/tsc', [...args, consumer], { encoding: 'utf8' })
  expect(stdout.trim()).toBe('')
})

it('declares what a package of the host exports without the files behind an entry', () => {
  // As installed: TypeScript names the files of a link by another path.
  const host = temporaryFolder()
  const installed = join(host, 'node_modules/@svc/auth')
  cpSync('dist', join(installed, 'dist'), { recursive: true })
  cpSync('package.json', join(installed, 'package.json'))
  cpSync('test/architecture/consumers/exported', join(host, 'src'), { recursive: true })
  const files = readdirSync(join(host, 'src')).map((name) => join('src', name))
  const output = ['--declaration', '--emitDeclarationOnly', '--outDir', 'out', '--skipLibCheck']
  const args = ['--ignoreConfig', '--strict', ...BROWSER, ...output, '--types', '', ...files]
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), args, {
    cwd: host,
    encoding: 'utf8',
  })
  expect(stdout.trim()).toBe('')
  const declared = readdirSync(join(host, 'out')).map((name) =>
    readFileSync(join(host, 'out', name), 'utf8'),
  )
  expect(declared).toHaveLength(files.length)
  expect(declared.join('')).not.toContain('node_modules')
})
