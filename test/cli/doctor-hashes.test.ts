import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'
import { openHandle } from '../support/sqlite.ts'
import { svcHere } from '../support/svc-here.ts'
import { configOf } from './command.ts'

const BCRYPT = '$2y$10$Z3zA417q2gkHa75zLPLuNOXH0wPS8D6kYJfAhWxV.OiAWHT3KKdMe'
const MD5 = 'md5:5f4dcc3b5aa765d61d8327deb882cf99'
const FOUND =
  'the password hashes of 1 of the listed users, such as the id 2, are in no form of `passwords.formats`, or cost too much to verify: name the format of the system that stored them, or let these users set a new password'

/** Runs `svc doctor` on users with these hashes. @returns its warnings about them. */
async function warningsAbout(hashes: readonly (string | null)[], ...args: readonly string[]) {
  const OLD = join(temporaryFolder(), 'old.db')
  const database = openHandle(OLD)
  database.exec('create table users (id integer primary key, email text, password text)')
  const insert = database.prepare('insert into users values (?, ?, ?)')
  for (const [index, hash] of hashes.entries())
    insert.run(index + 1, `u${index + 1}@example.com`, hash)
  database.close()
  const host = configOf('users-host.mjs')
  const { code, stdout } = await svcHere(['--config', host, 'doctor', '--json', ...args], {
    env: { APP_KEY: 'a key of the tests of 32 characters or more', OLD },
  })
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly Readonly<Record<'name' | 'status' | 'text', string>>[]
  }
  expect(code).toBe(0)
  const warnings = checks.filter(({ name, status }) => name === 'users' && status === 'warning')
  return warnings.map(({ text }) => text)
}

it.each([[[]], [['--email', 'u2@example.com']]])(
  'svc doctor warns of hashes that no format reads: %j',
  { timeout: 30_000 },
  async (args) => {
    expect(await warningsAbout([BCRYPT, MD5, null, '', '!unusable'], ...args)).toEqual([FOUND])
  },
)

it(
  'svc doctor says nothing of users who have no password, or a hash that is read',
  { timeout: 30_000 },
  async () => {
    expect(await warningsAbout([BCRYPT, null, '', '!unusable'])).toEqual([])
  },
)
