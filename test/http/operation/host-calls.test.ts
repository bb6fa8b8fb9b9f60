import { ConfigError, hashPassword } from '@svc/auth'
import { fakeUsers, outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { loggedIn, loggedInAt } from '../../support/logins.ts'
import { USER } from '../../support/paths.ts'
import { passwordHash, startService, twoTenants } from '../../support/service.ts'

/** The methods of the service as a host in JavaScript may call them. */
type Loose = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

const ENTRY = { type: 'note', via: () => ['database'], toDatabase: () => ({ title: 'Hello' }) }
const AS_TEXT = 'userId is not a text: give String(user.id)'
const AS_COUNT = 'limit is not a whole number of 0 or more'

describe('A call of the host', () => {
  it('refuses to end the sessions of a number, which would name nobody', async () => {
    const users = fakeUsers([{ id: '5', email: 'u1@x.test', passwordHash }])
    const service = await startService({ users })
    const una = await loggedIn(service)
    const { endSessions } = service.auth as unknown as Loose
    await expect(endSessions?.(5)).rejects.toThrow(new ConfigError(`endSessions: ${AS_TEXT}`))
    expect((await una.get(USER)).status).toBe(200)
    expect(await service.auth.endSessions('5')).toBe(1)
    expect((await una.get(USER)).status).toBe(401)
  })

  it.each<[string, readonly unknown[], string]>([
    ['a misspelt event', ['logn', () => 0], 'logn is not an event; did you mean login?'],
    [
      'another event',
      ['signup', () => 0],
      'signup is not an event; choose one of attempting, login,',
    ],
    ['no listener', ['login'], 'the listener is not a function'],
  ])('listens to events, and refuses %s', async (_what, args, fault) => {
    const { auth } = await startService()
    const { on } = auth as unknown as Readonly<
      Record<string, (...args: readonly unknown[]) => void>
    >
    expect(() => on?.(...args)).toThrow(`on: ${fault}`)
  })

  it.each([undefined, 12_345])('hashes a text only, and not %j', async (password) => {
    await expect(hashPassword(password as never)).rejects.toThrow('the password is not a text')
  })

  it.each([7, 'acme', { tennant: 'acme' }])(
    'refuses %j in place of the tenant, whose sessions would go on',
    async (given) => {
      const { changes, at } = twoTenants()
      const service = await startService(changes)
      const una = await loggedInAt(service, 'acme')
      const { endSessions } = service.auth as unknown as Loose
      await expect(endSessions?.('u1', given)).rejects.toThrow(/^endSessions: .+ option/)
      expect((await una.get(USER, at('acme'))).status).toBe(200)
    },
  )

  it.each<[string, readonly unknown[], string]>([
    ['endSessions', [{ id: 'u1' }], AS_TEXT],
    ['endSessions', ['u1', { tenant: 7 }], 'tenant is not a text'],
    ['activityOf', [5], AS_TEXT],
    ['activityOf', ['u1', { limit: -1 }], AS_COUNT],
    ['activityOf', ['u1', { limit: Number('many') }], AS_COUNT],
    ['activityOf', ['u1', { limit: '5' }], AS_COUNT],
    ['unlock', [undefined], 'email is not a text'],
    ['unlock', ['u1@x.test', { tenent: 'acme' }], 'tenent is not an option; did you mean tenant?'],
    [
      'notify',
      [{ id: 'u1' }, ENTRY, { tenent: 1 }],
      'tenent is not an option; did you mean tenant?',
    ],
    ['notify', [{ id: 'u1' }, ENTRY, 'x'], 'the options are not an object; give each by its name'],
    ['activityOf', ['u1', null], 'the options are not an object; give each by its name'],
    [
      'prune',
      [{ keepNotificationsDays: -1 }],
      'keepNotificationsDays is not a whole number of 1 or more',
    ],
    ['prune', [90], 'the options are not an object; give each by its name'],
    [
      'prune',
      [{ keepNotificationDays: 90 }],
      'keepNotificationDays is not an option; did you mean keepNotificationsDays?',
    ],
    ['openSession', [{ id: 'u1' }, 7], 'the options are not an object; give each by its name'],
    ['invite', [{ id: 'u1' }, { pannel: 'x' }], 'pannel is not an option; did you mean panel?'],
  ])('names what is wrong: %s of %j', async (call, args, fault) => {
    const service = await startService({ activity: true, passwords: {}, mailer: outbox() })
    const called = (service.auth as unknown as Loose)[call]?.(...args)
    await expect(called).rejects.toThrow(new ConfigError(`${call}: ${fault}`))
  })
})
