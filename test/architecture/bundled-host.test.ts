import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { linkPackages } from '../support/linked-packages.ts'
import { temporaryFolder } from '../support/panel.ts'

const SERVER = `
  import { createPanelAuth } from '@svc/auth'
  import { memoryStores } from '@svc/auth/memory'
  createPanelAuth({
    config: {
      app: { url: 'http://localhost:3000', keys: ['a key of the tests of 32 characters or more'] },
      session_auth: { stateful: ['localhost:3000'] },
      svc: { prefix: 'admin', panels: ['main'] },
    },
    stores: memoryStores(),
    users: { findById() {}, findByEmail() {}, identify() {}, passwordHash() {} },
  })`

it('the error of a bundled service names the remedy: to leave the package out of the bundle', async () => {
  const cwd = temporaryFolder()
  linkPackages(cwd, ['@svc/auth'])
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(cwd, 'server.js'), SERVER)
  const bundled = await rolldown({ input: join(cwd, 'server.js'), platform: 'node', cwd })
  await bundled.write({ dir: join(cwd, 'built/server') })
  const { status, stderr } = spawnSync(process.execPath, ['built/server/server.js'], {
    cwd,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('let it leave @svc/auth out')])
})
