import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

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
