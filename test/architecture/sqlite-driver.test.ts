import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** A value of the package, by any way to load it; a type loads nothing. */
const LOADED =
  /^\s*import\s+(?!type\b)[^;'"]*['"]better-sqlite3['"]|(?:\bimport|\brequire|\))\(\s*['"]better-sqlite3['"]/m
/** Code of the README, which tests run as an application with its own packages. */
const OF_THE_README = 'test/readme/users.ts'

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.includes('node_modules'))
  .map((name) => join('test', name))

it('tests load better-sqlite3 through test/support/sqlite.ts or openSqlite: the installed release crashes on a newer Node', () => {
  const loading = files.filter((file) => LOADED.test(readFileSync(file, 'utf8')))
  expect(loading).toEqual([OF_THE_README])
})
