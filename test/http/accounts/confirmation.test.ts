import { createPanelAuth } from '@svc/auth'
import { checkPage, pageGuard } from '@svc/auth/fetch'
import { memoryStores } from '@svc/auth/memory'
import { guard as expressGuard } from '@svc/auth/express'
import { guard as fastifyGuard } from '@svc/auth/fastify'
import { guard as fetchGuard, pageGuard as fetchPageGuard } from '@svc/auth/fetch'
import { guard as nestGuard } from '@svc/auth/nestjs'
import { guard as nodeGuard, pageGuard as nodePageGuard } from '@svc/auth/node'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import {
  CONFIRM_FIRST,
  confirmBy,
  confirmTimes,
  demanded,
  INCORRECT,
  startConfirmation,
} from '../../support/confirmation.ts'
import { loggedIn, visitor } from '../../support/logins.ts'
import { CONFIRM, FACTOR, SETUP, USER } from '../../support/paths.ts'
import { change, startPasswords } from '../../support/passwords.ts'
import { CODE, loggedInWithCode, WRONG } from '../../support/second-factor.ts'
import { payloadsOf, rightOptions, startService, svc } from '../../support/service.ts'
import { PANEL, withUserHeaders } from '../../support/user-headers.ts'
import { GUEST, INVALID, times, verdict, WRONG_CODE } from '../../support/verdicts.ts'

describe('A route that demands a confirmation', () => {
  it('is open within the time after a login, and then demands it', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 14 })
    expect(await demanded(una)).toBe('ok')
    service.clock.advance({ minutes: 1 })
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('is open within the time after a login by a code', async () => {
    const service = await startConfirmation()
    expect(await demanded(await loggedInWithCode(service))).toBe('ok')
  })

  it('answers 403 with confirmation_required', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 16 })
    const { status, json } = await una.get('/api/people')
    expect({ status, json }).toEqual({
      status: 403,
      json: {
        key: 'svc::auth.confirmation_required',
        message: 'Confirm that it is you to continue.',
        confirmation_required: true,
      },
    })
  })

  it('extends no session that it refuses', async () => {
    const service = await startConfirmation({ config: { session: { idle: 30 } } })
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 20 })
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
    service.clock.advance({ minutes: 11 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })
})

describe('A confirmation', () => {
  it('opens the route, by the password, for the time that its guard names', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 60 })
    const answer = await confirmBy(una, { password: PASSWORD })
    expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([204, '', undefined])
    service.clock.advance({ minutes: 14 })
    expect(await demanded(una)).toBe('ok')
    service.clock.advance({ minutes: 2 })
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('opens the route, by a code, for a user whose second factor is enabled', async () => {
    const service = await startConfirmation()
    const duo = await loggedInWithCode(service)
    service.clock.advance({ minutes: 60 })
    expect(verdict(await confirmBy(duo, { code: CODE }))).toBe('ok')
    expect(await demanded(duo)).toBe('ok')
  })

  it('forgets the wrong codes before a right one', async () => {
    const duo = await loggedInWithCode(await startConfirmation())
    for (let round = 0; round < 2; round += 1) {
      expect(await confirmTimes(duo, 4, { code: WRONG })).toEqual(times(4, WRONG_CODE))
      expect(verdict(await confirmBy(duo, { code: CODE }))).toBe('ok')
    }
  })

  it('needs no code where the password is given, though the second factor is enabled', async () => {
    const service = await startConfirmation()
    const duo = await loggedInWithCode(service)
    service.clock.advance({ minutes: 60 })
    expect(verdict(await confirmBy(duo, { password: PASSWORD }))).toBe('ok')
    expect(await demanded(duo)).toBe('ok')
  })

  it('is refused at its field by a wrong password', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 60 })
    const answer = await confirmBy(una, { password: 'wrong' })
    expect(verdict(answer)).toBe(INCORRECT)
    expect(Object.keys(answer.json.errors)).toEqual(['password'])
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('is refused at its field by a wrong code', async () => {
    const service = await startConfirmation()
    const duo = await loggedInWithCode(service)
    service.clock.advance({ minutes: 60 })
    const answer = await confirmBy(duo, { code: '000000' })
    expect(verdict(answer)).toBe(WRONG_CODE)
    expect(Object.keys(answer.json.errors)).toEqual(['code'])
    expect(await demanded(duo)).toBe(CONFIRM_FIRST)
  })

  it('confirms no other session than its own', async () => {
    const service = await startConfirmation()
    const [una, other] = [await loggedIn(service), await loggedIn(service)]
    service.clock.advance({ minutes: 60 })
    expect(verdict(await confirmBy(una, { password: PASSWORD }))).toBe('ok')
    expect(await demanded(other)).toBe(CONFIRM_FIRST)
  })

  it.each([{}, { password: '' }, { password: 7 }, { code: ' ' }, []])(
    'without a password or a code is refused: %j',
    async (body) => {
      const service = await startConfirmation()
      expect(verdict(await confirmBy(await loggedIn(service), body))).toBe(INVALID)
    },
  )

  it('needs a session', async () => {
    const service = await startConfirmation()
    const guest = await visitor(service)
    expect(verdict(await confirmBy(guest, { password: PASSWORD }))).toBe(GUEST)
  })

  it('is possible for a user whose email is not verified', async () => {
    const service = await startConfirmation()
    const tria = await loggedIn(service, 'u3@x.test')
    expect(verdict(await confirmBy(tria, { password: PASSWORD }))).toBe('ok')
  })

  it('is reported, as is a failed one', async () => {
    const service = await startConfirmation()
    const duo = await loggedInWithCode(service)
    await confirmBy(duo, { password: 'wrong' })
    await confirmBy(duo, { code: CODE })
    const reported = { userId: 'u2', tenant: null, network: expect.any(String) }
    expect(payloadsOf(service, 'confirmation.failed')).toEqual([{ ...reported, by: 'password' }])
    expect(payloadsOf(service, 'confirmed')).toEqual([{ ...reported, by: 'code' }])
  })
})

describe('A page of the host that demands a confirmation', () => {
  const login = '/admin/main/login'
  const page = { confirmedWithin: 15, login }

  it('redirects a navigation to the panel, with the page to return to', async () => {
    const { auth, clock, lines } = await withUserHeaders('u1', { confirmation: true })
    const admit = pageGuard(auth, page)
    const open = async (more: object) => {
      const headers = { ...lines, ...more }
      const request = new Request(`${PANEL}/orders?page=2`, { headers })
      return (await admit(request, { address: null })).response
    }
    const navigation = { 'sec-fetch-mode': 'navigate' }
    expect(await open(navigation)).toBeNull()
    clock.advance({ minutes: 16 })
    const response = await open(navigation)
    expect([response?.status, response?.headers.get('location')]).toEqual([
      302,
      `${login}?confirm=%2Forders%3Fpage%3D2`,
    ])
    expect((await open({ 'sec-fetch-mode': 'cors' }))?.status).toBe(403)
  })

  it('is a redirect of checkPage, too', async () => {
    const { auth, clock, lines } = await withUserHeaders('u1', { confirmation: true })
    clock.advance({ minutes: 16 })
    expect(await checkPage(auth, lines, { ...page, path: '/orders' })).toEqual({
      outcome: 'redirect',
      location: `${login}?confirm=%2Forders`,
    })
  })
})

describe('A change of the password', () => {
  it('confirms the session, because it has the current one', async () => {
    const service = await startPasswords({ confirmation: true, guard: { confirmedWithin: 15 } })
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 60 })
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
    expect(verdict(await change(una))).toBe('ok')
    expect(await demanded(una)).toBe('ok')
  })
})

describe('svc.two_factor.confirm_within', () => {
  const config = { svc: { ...svc, two_factor: { confirm_within: 5 } } }

  it.each([
    ['POST', SETUP],
    ['POST', CONFIRM],
    ['DELETE', FACTOR],
  ])('demands a confirmation before %s %s', async (method, path) => {
    const service = await startConfirmation({ config })
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 6 })
    const send = async () => verdict(await una.send(method, path, { body: { code: CODE } }))
    expect(await send()).toBe(CONFIRM_FIRST)
    await confirmBy(una, { password: PASSWORD })
    expect(await send()).not.toBe(CONFIRM_FIRST)
  })

  it('is not demanded by default', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 60 })
    expect(verdict(await una.post(SETUP))).toBe('ok')
  })

  it('demands none to look at the state of the second factor', async () => {
    const service = await startConfirmation({ config })
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 60 })
    expect(verdict(await una.get(FACTOR))).toBe('ok')
  })
})

describe('Without the confirmation layer', () => {
  it('a login stores nothing of it', async () => {
    const stores = memoryStores()
    const service = await startService({ stores })
    await loggedIn(service)
    const [session] = await stores.sessions.list(
      { tenant: null, userId: 'u1' },
      service.clock.now(),
    )
    expect(session?.details).toBeNull()
  })

  it('a guard that demands a confirmation is refused with a clear error, and admits nobody', async () => {
    const service = await startService()
    const request = { method: 'GET', target: '/', address: null, header: () => null }
    const body = async () => new Uint8Array()
    await expect(service.auth.guard({ ...request, body }, { confirmedWithin: 15 })).rejects.toThrow(
      /^guard: confirmedWithin needs the confirmation layer; give `confirmation: true`/,
    )
    await expect(service.auth.userFrom({}, { confirmedWithin: 15 })).rejects.toThrow(/^guard: /)
    await expect(service.auth.watch({ ...request, body }, { confirmedWithin: 15 })).rejects.toThrow(
      /^guard: /,
    )
  })

  it('a guard of an adapter is refused when it is created', async () => {
    const { auth } = await startService()
    const refused = /^guard: confirmedWithin needs the confirmation layer/
    const options = { confirmedWithin: 15 }
    expect(() => auth.checkGuard(options)).toThrow(refused)
    for (const create of [nodeGuard, fetchGuard, nestGuard, expressGuard, fastifyGuard])
      expect(() => create(auth, options)).toThrow(refused)
    for (const create of [nodePageGuard, fetchPageGuard])
      expect(() => create(auth, { login: '/admin/main/login', ...options })).toThrow(refused)
    const bound = (await startConfirmation()).auth
    expect(bound.checkGuard(options)).toMatchObject({ access: 'panel', confirmedWithin: 15 })
  })

  it('svc.two_factor.confirm_within is refused at start', () => {
    const right = rightOptions()
    const confirming = { ...svc, two_factor: { confirm_within: 15 } }
    const options = { ...right, config: { ...right.config, svc: confirming } }
    expect(() => createPanelAuth(options)).toThrow(/^svc\.two_factor\.confirm_within: nobody can/)
    const bound = createPanelAuth({ ...options, confirmation: true })
    return bound.close()
  })
})

describe('The option confirmedWithin', () => {
  it('logs a number that looks like seconds when the guard is created', async () => {
    const warn = vi.fn<(fields: object, message: string) => void>()
    const { auth } = await startConfirmation({ logger: { warn, error: () => undefined } })
    expressGuard(auth, { confirmedWithin: 15 })
    expect(warn).not.toHaveBeenCalled()
    expressGuard(auth, { confirmedWithin: 10_800 })
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      {},
      expect.stringMatching(/^guard: confirmedWithin: is 10800, which is 8 days; .*in minutes/),
    )
  })

  it.each([0, -1, Number.NaN, Infinity, '15', true])('refuses %s', async (confirmedWithin) => {
    const service = await startConfirmation()
    const wrong = { confirmedWithin: confirmedWithin as number }
    await expect(service.auth.userFrom({}, wrong)).rejects.toThrow(/^guard: confirmedWithin is /)
  })
})
