import { describe, expect, it } from 'vitest'
import type { FakeUsers } from '@svc/auth/testing'
import { NEW_PASSWORD, startPasswords, tokenIn } from '../support/passwords.ts'
import { LOGIN, RESET } from '../support/paths.ts'
import { identifyTenant, svc } from '../support/service.ts'
import { columns, hosts } from './hosts.ts'

const options = {
  columns: { ...columns, emailVerifiedAt: 'verified', tenant: 'tenant' },
  timestamp: () => 'now',
} as const

/** Opens a table in which the ids of each tenant begin with 1. */
async function openTenants(kind: keyof typeof hosts, type: string, names: readonly string[]) {
  const host = await hosts[kind]()
  const users = host.usersWith(options)
  await host.run(`create table users (id integer, email varchar(100), password varchar(200),
    verified varchar(40), tenant ${type})`)
  const rows: readonly (string | null)[] = [...names, null]
  for (const [index, tenant] of rows.entries()) {
    const sql = 'insert into users (id, email, tenant) values (1, ?, ?)'
    await host.run(sql, `u${index}@x.test`, tenant)
  }
  const of = async (tenant: string | null) => {
    const user = await users.findById('1', tenant)
    return user ?? expect.fail(`there is no user of ${tenant}`)
  }
  const hashes = async () =>
    Promise.all(rows.map(async (tenant) => (await of(tenant)).passwordHash))
  return { users, of, hashes }
}

describe.each([
  ['SQLite', 'varchar(20) collate nocase', ['acme', 'other']],
  ['SQLite', 'integer', ['7', '8']],
  ['PostgreSQL', 'text', ['acme', 'other']],
  ['PostgreSQL', 'integer', ['7', '8']],
  ['MySQL', 'varchar(20)', ['acme', 'other']],
  ['MySQL', 'integer', ['7', '8']],
] as const)('users of tenants whose ids are the same, in %s with %s', (kind, type, names) => {
  it('are changed each by its own', async () => {
    const { users, of, hashes } = await openTenants(kind, type, names)
    const [first, second] = [await of(names[0]), await of(names[1])]
    expect(await users.setPasswordHash(first, null, 'a')).toBe(true)
    expect(await hashes()).toEqual(['a', null, null])
    await users.setPassword(second, 'b')
    expect(await hashes()).toEqual(['a', 'b', null])
    expect(await users.rehash(await of(null), 'a', 'c')).toBe(false)
    await users.setPassword(await of(null), 'c')
    expect(await hashes()).toEqual(['a', 'b', 'c'])
    await second.markEmailAsVerified?.()
    expect((await of(names[0])).hasVerifiedEmail?.()).toBe(false)
    const tenants = (await users.list()).map(({ tenant }) => tenant)
    expect(new Set(tenants)).toEqual(new Set([...names, null]))
    await users.remove(second)
    expect(await users.findById('1', names[1])).toBeNull()
    await of(names[0])
    await users.remove(await of(null))
    await of(names[0])
  })

  it('are not changed by an id alone', async () => {
    const { users, hashes } = await openTenants(kind, type, names)
    await expect(users.setPassword({ id: '1' }, 'a')).rejects.toThrow('tenant')
    await expect(users.remove({ id: '1' })).rejects.toThrow('tenant')
    expect(await hashes()).toEqual([null, null, null])
  })
})

it('an invitation of one tenant gives nobody of another a password', async () => {
  const { users, of } = await openTenants('SQLite', 'text', ['acme', 'other'])
  const service = await startPasswords({
    // The provider of a table in place of the fake.
    users: users as unknown as FakeUsers,
    config: { svc: { ...svc, middleware: [identifyTenant] } },
  })
  await service.auth.invite((await of('acme')) as never, { tenant: 'acme' })
  const token = tokenIn(service.mailer.link('u0@x.test'))
  const sending = (tenant: string) => ({ headers: { 'x-tenant': tenant } })
  const browser = service.browser()
  await browser.get('/svc/api/csrf-cookie', sending('acme'))
  const reset = await browser.post(RESET, { token, password: NEW_PASSWORD }, sending('acme'))
  expect(reset.status).toBe(204)
  const logIn = async (email: string, tenant: string) =>
    (await browser.post(LOGIN, { email, password: NEW_PASSWORD }, sending(tenant))).status
  expect(await logIn('u1@x.test', 'other')).toBe(422)
  expect(await logIn('u0@x.test', 'acme')).toBe(200)
  expect((await of('other')).passwordHash).toBeNull()
})
