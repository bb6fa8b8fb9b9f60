import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { openSqlite } from '@svc/auth/sqlite'
import { build } from 'rolldown'
import { expect, it } from 'vitest'
import { linkPackages } from '../support/linked-packages.ts'
import { temporaryFolder } from '../support/panel.ts'

it('add-user.ts of the README runs in a CommonJS application', { timeout: 60_000 }, async () => {
  const cwd = temporaryFolder()
  linkPackages(cwd, ['@svc/auth', 'better-sqlite3'])
  // As tsx compiles it there, which refuses to await at the top level.
  const output = { file: join(cwd, 'add-user.cjs'), format: 'cjs' } as const
  await build({ input: 'test/readme/add-user.ts', external: /^[@a-z]/, platform: 'node', output })
  const args = ['add-user.cjs', 'ada@example.com', 'Ada']
  execFileSync(process.execPath, args, { cwd, input: 'correct horse battery staple' })
  const rows = openSqlite(join(cwd, 'panel.db')).prepare('select email from users').all()
  expect(rows).toEqual([{ email: 'ada@example.com' }])
})
