import type { UserProvider } from '@svc/auth'
import type { FakeUser, FakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { attempt, visitor } from '../../support/logins.ts'
import { PASSWORD } from '../../support/browser.ts'
import { somePeople, startService } from '../../support/service.ts'
import { FAILED, verdict } from '../../support/verdicts.ts'

const USER = '/svc/api/user'

/** Starts a service on people whose provider is as loose as a collation. */
async function startLoose(
  loose: (people: FakeUsers) => Partial<UserProvider<FakeUser>>,
  tenant: () => string | null = () => null,
) {
  const people = somePeople()
  const users = { ...people, ...loose(people) } as FakeUsers
  const middleware: NonNullable<Parameters<typeof startService>[0]>['config'] = {
    svc: {
      prefix: 'svc',
      panels: ['main'],
      middleware: [
        async (context, next) => {
          context.tenant = tenant()
          return next()
        },
      ],
    },
  }
  return { people, service: await startService({ users, config: middleware }) }
}

describe('Users of the host: what was read decides', () => {
  it('a user with another email is not the one who logs in', async () => {
    const { service } = await startLoose((people) => ({
      findByEmail: async (email, tenant) =>
        people.findByEmail(email.normalize('NFD').replaceAll(/\p{M}/gu, ''), tenant),
    }))
    const una = await visitor(service)
    expect(await attempt(una, 'ú1@x.test', PASSWORD)).toBe(FAILED)
    expect(service.events).toContainEqual(
      expect.objectContaining({
        event: 'failed',
        payload: expect.objectContaining({ userId: null }),
      }),
    )
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
    expect(service.log).toEqual([])
  })

  it('a user whose email is stored in upper case is found by its canonical form', async () => {
    const { service } = await startLoose(() => ({
      identify: ({ id, email, name }) => ({ id, email: email.toUpperCase(), name }),
    }))
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('a user with another id does not have the session', async () => {
    let answersOther = false
    const { service } = await startLoose((people) => ({
      findById: async (id, tenant) => people.findById(answersOther ? 'u2' : id, tenant),
    }))
    const una = service.browser()
    expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
    answersOther = true
    expect(verdict(await una.get(USER))).toBe('401 unauthenticated')
  })

  it('a user of another tenant does not log in, and has no session there', async () => {
    let asked: string | null = 'acme'
    const { service } = await startLoose(
      (people) => ({
        findByEmail: async (email) => people.findByEmail(email, null),
        findById: async (id) => people.findById(id, null),
        identify: ({ id, email, name }) => ({ id, email, name, tenant: 'acme' }),
      }),
      () => asked,
    )
    const una = service.browser()
    expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
    for (const tenant of ['ACME', 'acme ', 'ácme', null]) {
      asked = tenant
      const other = await visitor(service)
      expect(await attempt(other, 'u1@x.test', PASSWORD), String(tenant)).toBe(FAILED)
      expect(verdict(await una.get(USER))).toBe('401 unauthenticated')
    }
    asked = 'acme'
    expect(verdict(await una.get(USER))).toBe('ok')
  })

  it('a tenant that is not a text is an outage after the right password alone', async () => {
    const { service } = await startLoose(() => ({
      identify: (user) => ({ ...user, tenant: 7 as unknown as string }),
    }))
    const una = await visitor(service)
    expect(await attempt(una, 'u1@x.test', 'wrong')).toBe(FAILED)
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toMatch(/503/)
    expect(String(Object(service.log.at(-1)?.fields).err)).toContain('use String(user.tenant)')
  })
})
