import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** As strict as a host can be: without React's types, and with ours checked too. */
const STRICT = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', '']
const BROWSER = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable']

it('what a page without a framework imports has declarations that need nothing but the package', () => {
  const consumer = 'test/architecture/consumers/mount.ts'
  const args = ['--ignoreConfig', ...STRICT, ...BROWSER, consumer]
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', args, { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
