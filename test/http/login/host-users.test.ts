import { InvitationError, NotificationError, type PanelAuth } from '@svc/auth'
import type { FakeUser, FakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { columns, sqliteHost } from '../../users/hosts.ts'
import { bell, userOf } from '../../support/bell.ts'
import { loggedInAt } from '../../support/logins.ts'
import { EVERYBODY, formHeaders } from '../../support/open-session.ts'
import { startPasswords } from '../../support/passwords.ts'
import { BELL, USER } from '../../support/paths.ts'
import {
  identifyTenant,
  passwordHash,
  startService,
  svc,
  twoTenants,
} from '../../support/service.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

const GONE = { outcome: 'refused', reason: 'user-gone' }
const request = { headers: {} }

/** Tries to open a session for a user in each of the tenants. */
async function openIn(auth: PanelAuth<FakeUser>, user: FakeUser, ...tenants: (string | null)[]) {
  return Promise.all(tenants.map(async (tenant) => auth.openSession(user, { request, tenant })))
}

describe('A user of one tenant, whose id is also that of a user of another', () => {
  it('gets no session of the other', async () => {
    const { changes } = twoTenants()
    const service = await startService(changes)
    service.users.add({ id: 'u1', email: 'root@x.test', passwordHash })
    const user = await userOf(service, 'u1', 'acme')
    expect(await openIn(service.auth, user, 'zeta', null)).toEqual([GONE, GONE])
    const [own] = await openIn(service.auth, user, 'acme')
    expect(own).toMatchObject({ outcome: 'opened' })
  })

  it('gets no session of the other by the users of a table', async () => {
    const host = sqliteHost()
    await host.run('create table users (id integer, email text, password text, tenant text)')
    for (const tenant of ['acme', 'zeta', null])
      await host.run('insert into users values (1, ?, null, ?)', `of-${tenant}@x.test`, tenant)
    const users = host.usersWith({ columns: { ...columns, tenant: 'tenant' } })
    const { auth } = await startService({
      users: users as unknown as FakeUsers,
      config: { svc: { ...svc, middleware: [identifyTenant] } },
    })
    const user = (await users.findById('1', 'acme')) as unknown as FakeUser
    expect(await openIn(auth, user, 'zeta', null)).toEqual([GONE, GONE])
    expect(await openIn(auth, user, 'acme')).toMatchObject([{ outcome: 'opened' }])
  })

  it('is not who acts in a session of the other', async () => {
    const { changes, at } = twoTenants()
    const service = await startService({ ...changes, impersonation: EVERYBODY })
    const person = { email: 'u4@x.test', passwordHash }
    service.users.add({ ...person, id: 'u4', tenant: 'acme' })
    const una = await loggedInAt(service, 'acme')
    const opening = {
      request: { headers: { ...formHeaders(service, una), ...at('acme').headers } },
      tenant: 'acme',
      by: { user: await userOf(service, 'u1', 'zeta') },
    }
    const opened = await service.auth.openSession(await userOf(service, 'u4', 'acme'), opening)
    expect(opened).toEqual({ outcome: 'refused', reason: 'not-logged-in' })
  })

  it('is not invited in place of the other', async () => {
    const { changes } = twoTenants()
    const service = await startPasswords(changes)
    const user = await userOf(service, 'u1', 'acme')
    for (const options of [{ tenant: 'zeta' }, {}])
      await expect(service.auth.invite(user, options)).rejects.toThrow(InvitationError)
    expect(service.mailer.sent).toEqual([])
    await service.auth.invite(user, { tenant: 'acme' })
    expect(service.mailer.sent).toHaveLength(1)
  })

  it('is not notified in the bell of the other', async () => {
    const { changes, at } = twoTenants()
    const service = await startService(changes)
    const user = await userOf(service, 'u1', 'acme')
    const note = bell({ title: 'Your salary' })
    for (const options of [{ tenant: 'zeta' }, {}])
      await expect(service.auth.notify(user, note, options)).rejects.toThrow(NotificationError)
    const other = await loggedInAt(service, 'zeta')
    expect((await other.get(BELL, at('zeta'))).json).toMatchObject({ unread_count: 0 })
    await service.auth.notify(user, note, { tenant: 'acme' })
  })
})

describe('A tenant that svc.authenticated_middleware sets', () => {
  it('is refused once the session is resolved, with nothing of the other tenant', async () => {
    const { changes, at } = twoTenants()
    let wanted: string | null = 'acme'
    const service = await startService({
      ...changes,
      config: {
        svc: {
          ...svc,
          middleware: [identifyTenant],
          authenticated_middleware: [
            async (context, next) => {
              context.tenant = wanted
              return next()
            },
          ],
        },
      },
    })
    expect(verdict(await service.browser().get(USER, at('acme')))).toBe(GUEST)
    const una = await loggedInAt(service, 'acme')
    expect(verdict(await una.get(USER, at('acme')))).toBe('ok')
    expect((await una.get('/api/people', at('acme'))).status).toBe(200)
    for (const other of ['zeta', null]) {
      wanted = other
      expect((await una.get(USER, at('acme'))).status).toBe(503)
      expect((await una.get('/api/people', at('acme'))).status).toBe(503)
    }
    expect(String(Reflect.get(service.log.at(-1)?.fields ?? {}, 'err'))).toContain('svc.middleware')
  })
})
