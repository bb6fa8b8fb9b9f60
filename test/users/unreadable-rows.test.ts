import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { FakeUsers } from '@svc/auth/testing'
import { PASSWORD } from '../support/browser.ts'
import { attempt, visitor } from '../support/logins.ts'
import { passwordHash, startService } from '../support/service.ts'
import { FAILED } from '../support/verdicts.ts'
import { columns, hosts, mysqlHost } from './hosts.ts'

const options = { columns: { ...columns, name: 'name' } } as const

const CREATE =
  'create table users (id varchar(40), email varchar(200), name int, password varchar(200))'

describe.each(Object.entries(hosts))('a user of %s whose name is not a text', (_name, open) => {
  it('ENU-01: is answered like an unknown email unless the password is right, and the log has no hash', async () => {
    const host = await open()
    await host.run(CREATE)
    await host.run(`insert into users values ('u1', 'u1@x.test', 12, '${passwordHash}')`)
    // The service knows a provider by its methods.
    const service = await startService({
      users: host.usersWith(options) as unknown as FakeUsers,
    })
    const guest = await visitor(service)
    expect(await attempt(guest, 'nobody@x.test')).toBe(FAILED)
    expect(await attempt(guest, 'u1@x.test')).toBe(FAILED)
    expect(await attempt(guest, 'u1@x.test', PASSWORD)).toMatch(/503/)
    const logged = inspect(service.log, { depth: 20, showHidden: true, maxStringLength: null })
    expect(logged).toContain('the column of `name` must hold a text')
    expect(logged).not.toContain(passwordHash)
  })
})

it('a similar email does not find a user whose name is not a text, also with the right password', async () => {
  const host = await mysqlHost()
  await host.run(CREATE)
  await host.run(`insert into users values ('u1', 'u1@x.test', 12, '${passwordHash}')`)
  const users = host.usersWith(options) as unknown as FakeUsers
  const service = await startService({ users })
  expect(await attempt(await visitor(service), 'ú1@x.test', PASSWORD)).toBe(FAILED)
  expect(service.log).toEqual([])
})
