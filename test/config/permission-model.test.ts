import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const SERVER = `
  import { createPanelAuth, hashPassword } from '@svc/auth'
  import { memoryStores } from '@svc/auth/memory'
  createPanelAuth({
    config: {
      app: { url: 'http://localhost:3000', keys: ['a key of the tests of 32 characters or more'] },
      session_auth: { stateful: ['localhost:3000'] },
      svc: { prefix: 'admin', panels: ['main'] },
    },
    stores: memoryStores(),
    users: { findById() {}, findByEmail() {}, identify() {}, passwordHash() {} },
  })
  await hashPassword('a password')`

// Its name on Node 20.
const PERMISSION =
  ['--permission', '--experimental-permission'].find((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  ) ?? expect.fail('the flag is missing')

/** Starts a service under Node's permission model, and hashes a password. */
const start = (...flags: readonly string[]) =>
  spawnSync(
    process.execPath,
    [PERMISSION, '--allow-fs-read=*', ...flags, '--input-type=module', '--eval', SERVER],
    { encoding: 'utf8' },
  )

it('the start under --permission names the flags that hashing needs', () => {
  const { status, stderr } = start()
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/ConfigError: .*--allow-child-process and --allow-addons/),
  ])
})

it('a service hashes passwords under --permission with these flags', () => {
  expect(start('--allow-child-process', '--allow-addons')).toMatchObject({ status: 0 })
})
