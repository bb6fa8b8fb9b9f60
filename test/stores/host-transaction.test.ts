import { monitorEventLoopDelay } from 'node:perf_hooks'
import { hashPassword, type Notification } from '@svc/auth'
import type { FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../support/browser.ts'
import { attempt, loggedIn, visitor, wrongLogins } from '../support/logins.ts'
import { askForLink, openLink } from '../support/mail.ts'
import { BELL, LOGIN, LOGOUT, READ_ALL, USER } from '../support/paths.ts'
import { CODE, confirm, loggedInWithCode, owingCode, sendCode } from '../support/second-factor.ts'
import { sendCodes, setUp } from '../support/second-factor.ts'
import { withCookiesOf } from '../support/session-cookies.ts'
import { EXPIRED, FAILED, GUEST, tally, THROTTLED, times, verdict } from '../support/verdicts.ts'
import { begin, endOnceAwaited, handles, startOn, type SharedService } from './shared-handle.ts'

const ring: Notification<FakeUser> = {
  type: 'ring',
  via: () => ['database'],
  toDatabase: () => ({ title: 'Ring' }),
}

async function notify({ auth, users }: SharedService): Promise<void> {
  const una = await users.findById('u1', null)
  if (una !== null) await auth.notify(una, ring)
}

/** Does something during a transaction of the host. @returns checks it after the transaction. */
type Act = () => Promise<() => Promise<void>>

/** Everything that the service writes and confirms, each with what comes before the transaction. */
const acts: Readonly<Record<string, (service: SharedService) => Promise<Act>>> = {
  'a login': async (service) => {
    const guest = await visitor(service)
    return async () => {
      expect(await attempt(guest, 'u1@x.test', PASSWORD)).toBe('ok')
      return async () => expect(verdict(await guest.get(USER))).toBe('ok')
    }
  },
  'a logout': async (service) => {
    const una = await loggedIn(service)
    const thief = withCookiesOf(una, service.browser())
    return async () => {
      expect(verdict(await una.post(LOGOUT))).toBe('ok')
      return async () => expect(verdict(await thief.get(USER))).toBe(GUEST)
    }
  },
  'the count of wrong passwords': async (service) => {
    const guest = await visitor(service)
    return async () => {
      expect(tally(await wrongLogins(guest, 8))).toEqual({ [FAILED]: 5, [THROTTLED]: 3 })
      return async () => expect(await attempt(guest, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    }
  },
  'the count of wrong passwords that are sent at once': async (service) => {
    const guest = await visitor(service)
    return async () => {
      const all = times(12, 'wrong').map(async () => attempt(guest, 'u1@x.test'))
      expect(tally(await Promise.all(all))).toEqual({ [FAILED]: 5, [THROTTLED]: 7 })
      return async () => expect(await attempt(guest, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    }
  },
  'a code step': async (service) => {
    const duo = await owingCode(service)
    return async () => {
      expect(verdict(await sendCode(duo, CODE))).toBe('ok')
      return async () => expect(verdict(await duo.get(USER))).toBe('ok')
    }
  },
  'the count of wrong codes': async (service) => {
    const duo = await owingCode(service)
    return async () => {
      await sendCodes(duo, 5)
      return async () => expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
    }
  },
  'a set-up of the second factor': async (service) => {
    const una = await loggedIn(service)
    return async () => {
      await setUp(una)
      return async () => expect((await confirm(una)).status).toBe(200)
    }
  },
  'a confirmation, which ends the other sessions': async (service) => {
    const [una, other] = [await loggedIn(service), await loggedIn(service)]
    await setUp(una)
    return async () => {
      expect((await confirm(una)).status).toBe(200)
      return async () => {
        expect(verdict(await other.get(USER))).toBe(GUEST)
        expect(verdict(await una.get(USER))).toBe('ok')
      }
    }
  },
  'a notification': async (service) => {
    const una = await loggedIn(service)
    return async () => {
      await notify(service)
      return async () => expect((await una.get(BELL)).json.unread_count).toBe(1)
    }
  },
  'a mark of all as read': async (service) => {
    const una = await loggedIn(service)
    await notify(service)
    return async () => {
      expect(verdict(await una.post(READ_ALL))).toBe('ok')
      return async () => expect((await una.get(BELL)).json.unread_count).toBe(0)
    }
  },
  'a verified email': async (service) => {
    const tria = await loggedIn(service, 'u3@x.test')
    const link = await askForLink(service, tria)
    return async () => {
      await openLink(tria, link)
      return async () => expect(service.column('u3', 'verified')).not.toBeNull()
    }
  },
  'a renewed hash': async (service) => {
    const old = await hashPassword(PASSWORD, { memoryKiB: 128, passes: 1 })
    service.handle.prepare('UPDATE users SET password = ?').run(old)
    const guest = await visitor(service)
    return async () => {
      expect(await attempt(guest, 'u1@x.test', PASSWORD)).toBe('ok')
      return async () => {
        expect(service.column('u1', 'password')).not.toBe(old)
        expect(verdict(await guest.get(USER))).toBe('ok')
      }
    }
  },
  'the end of all sessions': async (service) => {
    const duo = await loggedInWithCode(service)
    return async () => {
      expect(await service.auth.endSessions('u2')).toBe(1)
      return async () => expect(verdict(await duo.get(USER))).toBe(GUEST)
    }
  },
  'a new user': async ({ users }) => {
    return async () => {
      await users.create({ email: 'new@x.test', name: null, passwordHash: '' }, null)
      return async () => expect(await users.findByEmail('new@x.test', null)).not.toBeNull()
    }
  },
}

describe.each(handles)('while a transaction of the host awaits on %s', (_name, open) => {
  describe.each(Object.entries(acts))('%s', (_act, prepare) => {
    it.each(['ROLLBACK', 'COMMIT'])('outlives its %s', async (ending) => {
      const service = await startOn(open())
      const act = await prepare(service)
      begin(service)
      const check = await endOnceAwaited(service, ending, act)
      await check()
      const orders = service.handle.prepare('SELECT * FROM orders').all()
      expect(orders).toHaveLength(ending === 'COMMIT' ? 1 : 0)
    })
  })

  it('a session that was ended by another process is refused', async () => {
    const service = await startOn(open())
    const una = await loggedIn(service)
    service.handle.exec('BEGIN; SELECT * FROM svc_sessions')
    await endOnceAwaited(service, 'ROLLBACK', async () => {
      await service.auth.endSessions('u1')
      expect(verdict(await una.get(USER))).toBe(GUEST)
    })
  })

  it('a password that it has changed and not committed logs nobody in', async () => {
    const service = await startOn(open())
    const guest = await visitor(service)
    begin(service)
    const hash = await hashPassword('another password', { memoryKiB: 64, passes: 1 })
    service.handle.prepare('UPDATE users SET password = ?').run(hash)
    await endOnceAwaited(service, 'ROLLBACK', async () =>
      expect(await attempt(guest, 'u1@x.test', 'another password')).toBe(FAILED),
    )
  })
})

describe.each(handles)('a transaction of the host that never ends on %s', (name, open) => {
  it('causes 503 for what is written, within the deadline, and never blocks the event loop', async () => {
    const service = await startOn(open())
    const una = await loggedIn(service)
    const guests = await Promise.all(times(5, '').map(async () => visitor(service)))
    begin(service)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const startedAt = performance.now()
    const notified = notify(service).catch((error: unknown) => error)
    const [read, ...answers] = await Promise.all([
      una.get(USER),
      una.post(LOGOUT),
      ...guests.map(async (guest) => guest.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })),
    ])
    const tookMs = performance.now() - startedAt
    delay.disable()
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503])
    // Two seconds, and two more for the load of the machine.
    expect(tookMs).toBeLessThan(4000)
    expect(delay.max / 1e6).toBeLessThan(500)
    expect(read.status).toBe(name.endsWith('memory') ? 503 : 200)
    expect(await notified).toMatchObject({ name: 'StoreError' })
    service.handle.exec('ROLLBACK')
    expect((await una.get(USER)).status).toBe(200)
    expect((await una.post(LOGOUT)).status).toBe(204)
  })
})
