import type { FakeUser, FakeUsers } from '@svc/auth/testing'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import {
  change,
  NEW_PASSWORD,
  reset,
  startPasswords,
  tokenFor,
  type PasswordService,
} from '../../support/passwords.ts'
import { somePeople } from '../../support/service.ts'
import { atDeadline } from '../../support/time.ts'
import { GUEST, UNAVAILABLE, verdict } from '../../support/verdicts.ts'

const LINK_INVALID = '422 password_link_invalid'
const INVALID = '422 invalid'

const resetByLink = async (service: PasswordService) => reset(service, await tokenFor(service))
const changeOwn = async (service: PasswordService) => change(await loggedIn(service))

describe('`passwords.set` of the host', () => {
  it('receives the user and a hash, in place of the user provider', async () => {
    const users = somePeople()
    const set = vi.fn(async ({ id }: FakeUser, passwordHash: string) =>
      users.update(id, { passwordHash }),
    )
    const service = await startPasswords({ users, passwords: { set } })
    expect(verdict(await reset(service, await tokenFor(service)))).toBe('ok')
    expect(set).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ id: 'u1' }),
      expect.stringMatching(/^\$argon2id\$/),
    )
    expect(users.calls.setPasswordHash).toBe(0)
    expect((await service.browser().logIn('u1@x.test', NEW_PASSWORD)).status).toBe(200)
  })

  it('is an outage when it throws, after which the link still works', async () => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    service.users.failWith(new Error('away'), 'setPasswordHash')
    expect(verdict(await reset(service, token))).toBe(UNAVAILABLE)
    service.users.recover()
    expect(verdict(await reset(service, token))).toBe('ok')
  })

  it('refuses the link and the change when it returns false', async () => {
    const service = await startPasswords({ passwords: { set: () => false } })
    expect(verdict(await reset(service, await tokenFor(service)))).toBe(LINK_INVALID)
    expect(verdict(await change(await loggedIn(service)))).toBe('401 unauthenticated')
  })

  it('is an outage when it stores nothing, and the old password stays', async () => {
    const service = await startPasswords({ passwords: { set: () => undefined } })
    const token = await tokenFor(service)
    expect(verdict(await reset(service, token))).toBe(UNAVAILABLE)
    expect((await service.browser().logIn('u1@x.test')).status).toBe(200)
  })

  it('is an outage when it hangs, after which the link is used up', async () => {
    const users = somePeople()
    let [hangs, isCalled] = [true, false]
    const set = async ({ id }: FakeUser, passwordHash: string): Promise<void> => {
      isCalled = true
      if (hangs) return new Promise<void>(() => {})
      users.update(id, { passwordHash })
    }
    const service = await startPasswords({ users, passwords: { set } })
    const token = await tokenFor(service)
    const answer = await atDeadline(
      async () => reset(service, token),
      () => isCalled,
    )
    expect(verdict(answer)).toBe(UNAVAILABLE)
    hangs = false
    // The turn of a call that may still be running ends after a minute.
    service.clock.advance({ seconds: 61 })
    expect(verdict(await reset(service, token))).toBe(LINK_INVALID)
    expect(verdict(await reset(service, await tokenFor(service)))).toBe('ok')
  })
})

describe('`setPasswordHash` of a provider that joins the hash with a salt', () => {
  it('is an outage with the reason when it compares the joined text with the stored hash', async () => {
    const people = somePeople()
    const users = {
      ...people,
      setPasswordHash: async (user: FakeUser, from: string | null, to: string) =>
        people.setPasswordHash(user, `salt:${from}`, to),
    }
    const service = await startPasswords({ users })
    const token = await tokenFor(service)
    expect(verdict(await reset(service, token))).toBe(UNAVAILABLE)
    expect(verdict(await change(await loggedIn(service)))).toBe(UNAVAILABLE)
    expect(inspect(service.log, { depth: 5 })).toContain('compare the stored one with')
  })
})

describe('A user who changes while the new password is checked', () => {
  it.each<[string, typeof resetByLink, Parameters<FakeUsers['update']>[1], string]>([
    ['reset: another password', resetByLink, { passwordHash: null }, LINK_INVALID],
    ['reset: another email', resetByLink, { email: 'una@x.test' }, LINK_INVALID],
    ['reset: no access', resetByLink, { active: false }, LINK_INVALID],
    ['change: another password', changeOwn, { passwordHash: null }, GUEST],
    ['change: no access', changeOwn, { active: false }, GUEST],
  ])('keeps what the host has stored: %s', async (_what, replace, changes, refusal) => {
    const users = somePeople()
    const set = vi.fn()
    const allows = ({ id }: FakeUser): boolean => {
      users.update(id, changes)
      return true
    }
    const service = await startPasswords({ users, passwords: { set, allows } })
    expect(verdict(await replace(service))).toBe(refusal)
    expect(set).not.toHaveBeenCalled()
  })
})

describe('`passwords.allows` of the host', () => {
  it.each([
    ['false', () => false],
    ['a promise of a truthy value', async () => 1],
  ])('PWD-15: refuses a password by %s', async (_what, allows) => {
    // The types do not stop plain JavaScript from returning another value.
    const passwords = { allows: allows as () => boolean }
    const service = await startPasswords({ passwords })
    const token = await tokenFor(service)
    const refused = await reset(service, token)
    expect(verdict(refused)).toBe(INVALID)
    expect(refused.json.errors.password).toEqual([expect.stringContaining('cannot be used here')])
    expect(verdict(await change(await loggedIn(service)))).toBe(INVALID)
  })

  it.each([
    ['true', () => true],
    ['a promise of true', async () => true],
  ])('accepts a password by %s', async (_what, allows) => {
    const service = await startPasswords({ passwords: { allows } })
    expect(verdict(await reset(service, await tokenFor(service)))).toBe('ok')
  })

  it('is asked only about passwords that the rules accept', async () => {
    const allows = vi.fn(() => true)
    const service = await startPasswords({ passwords: { allows } })
    expect(verdict(await reset(service, await tokenFor(service), 'short'))).toBe(INVALID)
    expect(allows).not.toHaveBeenCalled()
  })
})
