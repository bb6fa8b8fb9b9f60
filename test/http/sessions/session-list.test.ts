import { inspect } from 'node:util'
import { hashPassword } from '@svc/auth'
import { outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { openStream } from '../../support/bell-stream.ts'
import { loggedInAt, visitor } from '../../support/logins.ts'
import { SESSIONS, USER } from '../../support/paths.ts'
import { owingCode, sendCode, startWithFactor, CODE } from '../../support/second-factor.ts'
import { payloadsOf, twoTenants } from '../../support/service.ts'
import { withCookiesOf } from '../../support/session-cookies.ts'
import {
  endOthers,
  endSession,
  idOf,
  logInFrom,
  sessionsOf,
  startSessions,
  storeCopies,
} from '../../support/session-list.ts'
import { EXPIRED, GUEST, LIMITED, verdict } from '../../support/verdicts.ts'

const NOT_FOUND = '404 not_found'

describe('The list of sessions', () => {
  it('names browser, system, shortened network, begin and last use of each session', async () => {
    const service = await startSessions()
    const una = await logInFrom(service, { address: '127.7.8.9' })
    const began = new Date(service.clock.now()).toISOString()
    expect(await sessionsOf(una)).toEqual([
      {
        id: expect.stringMatching(/^[\da-f]{12}$/),
        current: true,
        created_at: began,
        last_seen_at: began,
        remembered_until: null,
        browser: 'Firefox',
        system: 'Linux',
        network: '127.7.8.x',
      },
    ])
  })

  it('has the current session first, then the most recently seen', async () => {
    const service = await startSessions()
    const [oldest, una] = [await logInFrom(service), await logInFrom(service)]
    service.clock.advance({ minutes: 2 })
    const other = await logInFrom(service)
    service.clock.advance({ minutes: 2 })
    await oldest.get(USER)
    const ids = [await idOf(una), await idOf(oldest), await idOf(other)]
    expect((await sessionsOf(una)).map(({ id }) => id)).toEqual(ids)
  })

  it('has at most 100: a further login ends those that were used least recently', async () => {
    const service = await startSessions()
    const una = await logInFrom(service)
    await storeCopies(service, { tenant: null, userId: 'u1' }, 150, 'later')
    const further = await logInFrom(service)
    expect(await sessionsOf(further)).toHaveLength(100)
    expect(verdict(await una.get(USER))).toBe('ok')
  })

  it('loses at most 100 sessions to one login, which ends in time', async () => {
    const service = await startSessions()
    await logInFrom(service)
    await storeCopies(service, { tenant: null, userId: 'u1' }, 250)
    expect(await sessionsOf(await logInFrom(service))).toHaveLength(152)
  })

  it('leaves out sessions that a shorter lifetime of the host has ended', async () => {
    const before = await startSessions()
    await logInFrom(before)
    before.clock.advance({ minutes: 20 })
    const { stores, users, clock, url: appUrl } = before
    const config = { session: { idle: 15 } }
    const after = await startSessions({ stores, users, clock, appUrl, config })
    const una = await logInFrom(after)
    expect(await sessionsOf(una)).toMatchObject([{ current: true }])
    const longer = await startSessions({ stores, users, clock, appUrl })
    expect(await sessionsOf(withCookiesOf(una, longer.browser()))).toHaveLength(2)
  })

  it('leaves unknown what was not kept', async () => {
    const service = await startSessions()
    const una = await logInFrom(service, { headers: { 'user-agent': 'curl/8' } })
    const [entry] = await sessionsOf(una)
    expect(entry).toMatchObject({ browser: null, system: null })
  })

  it('DEV-03: contains no text that a client has chosen', async () => {
    const service = await startSessions()
    const markup = '<img src=x onerror=alert(1)> Firefox/145.0"><script>Linux</script>'
    const una = await logInFrom(service, { headers: { 'user-agent': markup } })
    const answer = await una.get(SESSIONS)
    expect(answer.json.data[0]).toMatchObject({ browser: 'Firefox', system: 'Linux' })
    expect(answer.text).not.toMatch(/[<>]|script|alert/)
  })

  it('leaves out sessions from before a new password, which end at their next request', async () => {
    const service = await startSessions()
    await logInFrom(service)
    const passwordHash = await hashPassword(PASSWORD, { memoryKiB: 64, passes: 1 })
    service.users.update('u1', { passwordHash })
    expect(await sessionsOf(await logInFrom(service))).toHaveLength(1)
  })

  it('DEV-14: is all that is kept: neither the address nor the User-Agent is stored', async () => {
    const service = await startSessions()
    await logInFrom(service, { address: '127.7.8.9' })
    const owner = { tenant: null, userId: 'u1' }
    const [stored] = await service.stores.sessions.list(owner, service.clock.now())
    expect(JSON.parse(stored?.details ?? '')).toEqual({
      place: { browser: 'Firefox', system: 'Linux', network: '127.7.8.x' },
    })
    expect(inspect(stored)).not.toContain('127.7.8.9')
  })
})

describe('Ending a session of the list', () => {
  it('ends that session, and no other', async () => {
    const service = await startSessions()
    const [una, other, third] = [
      await logInFrom(service),
      await logInFrom(service),
      await logInFrom(service),
    ]
    expect((await endSession(una, await idOf(other))).status).toBe(204)
    const verdicts = await Promise.all(
      [una, other, third].map(async (browser) => verdict(await browser.get(USER))),
    )
    expect(verdicts).toEqual(['ok', GUEST, 'ok'])
    expect(payloadsOf(service, 'session.revoked')).toEqual([
      { userId: 'u1', tenant: null, ended: 1 },
    ])
  })

  it('refuses the current session, which logout ends', async () => {
    const una = await logInFrom(await startSessions())
    expect(verdict(await endSession(una, await idOf(una)))).toBe('409 session_current')
    expect(verdict(await una.get(USER))).toBe('ok')
  })

  it("DEV-01: answers another user's session as an unknown one, and leaves it open", async () => {
    const service = await startSessions()
    const una = await logInFrom(service)
    const other = await logInFrom(service, { email: 'u4@x.test' })
    const answers = [
      await endSession(una, await idOf(other)),
      await endSession(una, '000000000000'),
      await endSession(una, 'x'.repeat(500)),
      await endSession(una, '__proto__'),
    ]
    expect(answers.map(verdict)).toEqual(Array.from(answers, () => NOT_FOUND))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(verdict(await other.get(USER))).toBe('ok')
  })

  it('DEV-02: is tried ten times a minute, and an id opens no session', async () => {
    const limits = { 'sessions.end': { max: 10, window_seconds: 60 } }
    const service = await startSessions({ config: { limits } })
    const [una, other] = [await logInFrom(service), await logInFrom(service)]
    const id = await idOf(other)
    const verdicts: string[] = []
    for (let made = 0; made < 11; made += 1)
      verdicts.push(verdict(await endSession(una, `00000000000${made}`)))
    expect(verdicts.slice(-2)).toEqual([NOT_FOUND, LIMITED])
    const thief = await visitor(service)
    thief.setCookie('svc_session', id)
    expect(verdict(await thief.get(USER))).toBe(GUEST)
  })

  it('DEV-04: reaches no session of another tenant, where the user has the same id', async () => {
    const { changes, at } = twoTenants()
    const service = await startSessions(changes)
    const [acme, zeta] = [await loggedInAt(service, 'acme'), await loggedInAt(service, 'zeta')]
    const listed = await acme.get(SESSIONS, at('acme'))
    expect(listed.json.data).toHaveLength(1)
    const { id } = (await zeta.get(SESSIONS, at('zeta'))).json.data[0]
    const ended = await acme.send('DELETE', `${SESSIONS}/${id}`, at('acme'))
    expect(verdict(ended)).toBe(NOT_FOUND)
    expect(verdict(await acme.send('DELETE', SESSIONS, at('acme')))).toBe('ok')
    expect(verdict(await zeta.get(USER, at('zeta')))).toBe('ok')
  })

  it('DEV-05: closes the open streams of that session', async () => {
    const service = await startSessions()
    const [una, other] = [await logInFrom(service), await logInFrom(service)]
    const id = await idOf(other)
    const stream = await openStream(service.url, other)
    expect(await stream.next()).toMatchObject({ event: 'unread' })
    expect((await endSession(una, id)).status).toBe(204)
    // The stream ends, so that the last event is read.
    await stream.rest()
    expect(verdict(await other.get(USER))).toBe(GUEST)
  })
})

describe('Ending all other sessions', () => {
  it('ends them, and keeps this one and those of other users', async () => {
    const service = await startSessions()
    const [una, other] = [await logInFrom(service), await logInFrom(service)]
    const quarta = await logInFrom(service, { email: 'u4@x.test' })
    expect((await endOthers(una)).status).toBe(204)
    const verdicts = await Promise.all(
      [una, other, quarta].map(async (browser) => verdict(await browser.get(USER))),
    )
    expect(verdicts).toEqual(['ok', GUEST, 'ok'])
    expect(await sessionsOf(una)).toHaveLength(1)
    expect(payloadsOf(service, 'session.revoked')).toEqual([
      { userId: 'u1', tenant: null, ended: 1 },
    ])
  })

  it('succeeds without others, and reports nothing', async () => {
    const service = await startSessions()
    expect((await endOthers(await logInFrom(service))).status).toBe(204)
    expect(payloadsOf(service, 'session.revoked')).toEqual([])
  })

  it('DEV-10: ends a login that waits for its code', async () => {
    const service = await startWithFactor({ mailer: outbox(), sessions: { devices: true } })
    const duo = await owingCode(service)
    expect((await sendCode(duo, CODE)).status).toBe(204)
    const waiting = await owingCode(service)
    expect((await endOthers(duo)).status).toBe(204)
    expect(verdict(await sendCode(waiting, CODE))).toBe(EXPIRED)
    expect(verdict(await duo.get(USER))).toBe('ok')
  })
})
