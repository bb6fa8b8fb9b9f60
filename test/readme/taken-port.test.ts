import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { linkPackages } from '../support/linked-packages.ts'
import { temporaryFolder } from '../support/panel.ts'
import { hasBetterSqlite3 } from '../support/sqlite.ts'

it.runIf(hasBetterSqlite3)(
  'the server of the README fails where another program has its port, and prints no address',
  async () => {
    const other = createServer().listen(0)
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const address = other.address()
    const cwd = temporaryFolder()
    linkPackages(cwd, ['@svc/auth', 'better-sqlite3', 'express'])
    const bundled = await rolldown({
      input: resolve('test/readme/server.ts'),
      external: /^[@a-z]/,
      platform: 'node',
    })
    await bundled.write({ dir: cwd, entryFileNames: 'server.mjs' })
    const PORT = String(typeof address === 'object' ? address?.port : 0)
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(cwd, 'server.mjs')], {
      cwd,
      env: {
        PATH: process.env['PATH'],
        PORT,
        APP_KEY: 'a key of the tests of 32 characters or more',
      },
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('EADDRINUSE')])
  },
)
