import { spawnSync } from 'node:child_process'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newKey } from '../../src/cli/key/key-commands.ts'
import { application, init, prepare } from './prepared-application.ts'
import { linkPackages } from '../support/linked-packages.ts'

describe('A wrong setting of what svc init writes', () => {
  it.each([
    ['no scheme', 'panel.example.com', /write "https:\/\/panel\.example\.com"/],
    ['no value', '', /is empty.*https:\/\/panel\.example\.com/],
    ['a slash', 'https://panel.example.com/', /write "https:\/\/panel\.example\.com"/],
    ['a path', 'https://panel.example.com/admin', /name the path in svc\.prefix/],
    ['quotes', '"https://panel.example.com"', /quotes.*remove them/],
  ])('names app.url for an APP_URL with %s', async (_what, url, remedy) => {
    const cwd = application('express')
    await prepare(cwd, [])
    expect(errorOf(cwd, { APP_URL: url, APP_KEY: newKey() })).toMatch(
      new RegExp(`^ConfigError: app\\.url: .*${remedy.source}`, 'm'),
    )
  })

  it.each([
    ['pg', undefined],
    ['pg', ''],
    ['pg', 'localhost:5432/app'],
    ['pg', '"postgres://a:secret@localhost/b"'],
    ['mysql2', undefined],
    ['mysql2', 'localhost:3306/app'],
    ['mysql2', '"mysql://a:secret@localhost/b"'],
  ])('names the address for %s whose DATABASE_URL is %s', async (driver, url) => {
    const cwd = application('express', driver)
    linkPackages(cwd, ['@svc/auth', driver])
    await init(cwd)
    const message = errorOf(cwd, {
      APP_KEY: newKey(),
      ...(url !== undefined && { DATABASE_URL: url }),
    })
    expect(message).toMatch(/^ConfigError: .*give an address, like (?:postgres|mysql):\/\//m)
    expect(message).not.toContain('secret')
  })
})

describe('What svc init says to do', () => {
  it.skipIf(isBuiltin('node:sqlite'))('allows the script that builds better-sqlite3', async () => {
    const { steps } = await init(application('express'))
    expect(steps[0]).toMatch(
      /allowScripts\.better-sqlite3=true --json && npm install .*better-sqlite3/,
    )
  })
})

/** Imports the service of an application, and returns the error. */
function errorOf(cwd: string, env: Readonly<Record<string, string>>): string {
  const { stderr } = spawnSync(process.execPath, [join(cwd, 'auth.js')], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
  return stderr
}
