import { expect } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'
import { svc } from '../support/svc.ts'
import { configOf } from './command.ts'

/** Returns the warnings of `svc doctor` about the users of a host. */
export async function userWarnings(env: Readonly<Record<string, string>>) {
  const { stdout } = await svc(['--config', configOf('users-host.mjs'), 'doctor', '--json'], {
    env: {
      APP_KEY: 'a key of the tests of 32 characters or more',
      OLD: `${temporaryFolder()}/old.db`,
      ...env,
    },
  })
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly Readonly<Record<'name' | 'status' | 'text', string>>[]
  }
  expect(checks).toContainEqual(expect.objectContaining({ name: 'users', status: 'ok' }))
  return checks.flatMap(({ name, status, text }) =>
    name === 'users' && status === 'warning' ? [text] : [],
  )
}
