import { randomUUID } from 'node:crypto'
import type { FakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../support/browser.ts'
import { attempt, loggedIn, visitor } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { identifyTenant, passwordHash, startService, svc } from '../support/service.ts'
import { verdict } from '../support/verdicts.ts'
import { onPostgres, type OpenHost } from './handles.ts'
import { columns } from './hosts.ts'

const faults = {
  'a view that cannot convert a row': {
    breaks: "update accounts set settings = 'none'",
    mends: "update accounts set settings = 'staff'",
  },
  'a `where` whose label of an enum was renamed': {
    breaks: "alter type kinds rename value 'staff' to 'team'",
    mends: "alter type kinds rename value 'team' to 'staff'",
  },
} as const

/** A view whose kind is a text that PostgreSQL converts. */
const TABLES = [
  "create type kinds as enum ('staff', 'guest')",
  'create table accounts (id uuid primary key, email text, password text, settings text, tenant text)',
  `create view users as select id, email, password, tenant, settings::kinds as kind
    from accounts`,
]

async function startOn(open: OpenHost, tenant: string | null = null) {
  const host = await open()
  for (const statement of TABLES) await host.run(statement)
  await host.run(
    "insert into accounts values (gen_random_uuid(), 'u1@x.test', ?, 'staff', ?)",
    passwordHash,
    tenant,
  )
  const users = host.usersWith({
    columns: { ...columns, tenant: 'tenant' },
    where: { kind: 'staff' },
  })
  const service = await startService({
    // The service knows a provider by its methods.
    users: users as unknown as FakeUsers,
    config: { svc: { ...svc, middleware: [identifyTenant] } },
  })
  return { host, users, service }
}

describe.each(onPostgres)('users that PostgreSQL cannot read, by %s', (_name, open) => {
  it.each(Object.entries(faults))(
    'are 503, and keep their sessions: %s',
    async (_fault, change) => {
      const { host, service } = await startOn(open)
      const una = await loggedIn(service, 'u1@x.test')
      await host.run(change.breaks)
      expect((await una.get(USER)).status).toBe(503)
      expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toMatch(/503/)
      await host.run(change.mends)
      expect(verdict(await una.get(USER))).toBe('ok')
    },
  )

  it.each(Object.entries(faults))(
    'are an error for a search by several ids, and for a login at a tenant: %s',
    async (_fault, { breaks }) => {
      const { host, users, service } = await startOn(open, 'acme')
      const ids = [...(await users.list()).map(({ id }) => id), randomUUID()]
      const logIn = async () =>
        attempt(await visitor(service), 'u1@x.test', PASSWORD, { 'x-tenant': 'acme' })
      expect(await logIn()).toBe('ok')
      await host.run(breaks)
      await expect(users.findManyById(ids, 'acme')).rejects.toThrow()
      expect(await logIn()).toMatch(/503/)
    },
  )

  it('are not confused with an id of another type', async () => {
    const { users } = await startOn(open)
    expect(await users.findManyById(['u1', '7'])).toEqual([null, null])
    expect(await users.findById('u1')).toBeNull()
  })
})
