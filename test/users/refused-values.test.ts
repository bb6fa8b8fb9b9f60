import type { FakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../support/browser.ts'
import { attempt, loggedIn, visitor } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { passwordHash, startService } from '../support/service.ts'
import { verdict } from '../support/verdicts.ts'
import { onPostgres } from './handles.ts'

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
  'create table accounts (id uuid primary key, email text, password text, settings text)',
  `create view users as select id, email, password, null as tenant, settings::kinds as kind
    from accounts`,
]

async function startOn(open: (typeof onPostgres)[number][1]) {
  const host = await open()
  for (const statement of TABLES) await host.run(statement)
  await host.run(
    "insert into accounts values (gen_random_uuid(), 'u1@x.test', ?, 'staff')",
    passwordHash,
  )
  const users = host.usersWith({ where: { kind: 'staff' } })
  // The service knows a provider by its methods.
  return { host, users, service: await startService({ users: users as unknown as FakeUsers }) }
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

  it('does not take an id of another type for such a fault', async () => {
    const { users } = await startOn(open)
    expect(await users.findManyById(['u1', '7'])).toEqual([null, null])
    expect(await users.findById('u1')).toBeNull()
  })
})
