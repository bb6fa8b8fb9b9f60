import { memoryStores } from '@svc/auth/memory'
import { fakeClock } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  moveTo,
  setUp,
  startWithFactor,
  WRONG,
  type FactorService,
} from '../../support/second-factor.ts'
import { somePeople } from '../../support/service.ts'
import {
  times,
  verdict,
  ALREADY_ENABLED,
  SETUP_MISSING,
  WRONG_CODE,
} from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'
import { LOGOUT, FACTOR, SETUP, USER } from '../../support/paths.ts'
import { NEW_KEY, OLD_KEY } from '../../support/keys.ts'

describe('Second factor: its status', () => {
  it('returns what the contract says now (EN-5)', async () => {
    const service = await startWithFactor({ factor: {} })
    const una = await loggedIn(service)
    for (const enabled of [false, true]) {
      for (const required of [false, true]) {
        service.factor.update('u1', { enabled, required })
        const { status, json } = await una.get(FACTOR)
        expect([status, json]).toEqual([
          200,
          { enabled, required, pending: false, codes_unseen: false },
        ])
      }
    }
  })

  it('returns whether a secret is pending in this session', async () => {
    const service = await startWithFactor()
    const [una, elsewhere] = [await loggedIn(service), await loggedIn(service)]
    await setUp(una)
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: false,
      pending: true,
      codes_unseen: false,
    })
    expect((await elsewhere.get(FACTOR)).json.pending).toBe(false)
    service.clock.advance({ minutes: 10 })
    expect((await una.get(FACTOR)).json.pending).toBe(false)
  })
})

describe('Second factor: setup', () => {
  it('returns a secret and an image, as the only route (SF-1, EN-6, TC-4, TC-5, ENR-12)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const answer = await una.post(SETUP)
    const [secret] = service.factor.secrets
    expect(verdict(answer)).toBe('ok')
    expect(answer.json).toEqual({ secret, qr_code: expect.stringMatching(/^data:image\/png;/) })
    const others = [await una.get(FACTOR), await una.get(USER), await confirm(una, WRONG)]
    expect(others.map(({ text }) => text).join()).not.toContain(secret)
    expect(service.factor.calls.enable).toBe(0)
  })

  it('returns the same secret for ten minutes from the first request, then another (ENR-13)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const first = await setUp(una)
    service.clock.advance({ minutes: 9 })
    expect(await setUp(una, { fresh: false })).toBe(first)
    service.clock.advance({ seconds: 59 })
    expect(await setUp(una, {})).toBe(first)
    service.clock.advance({ seconds: 1 })
    expect(await setUp(una)).not.toBe(first)
    expect(service.factor.calls.newSecret).toBe(2)
  })

  it('accepts only a boolean for `fresh`', async () => {
    const una = await loggedIn(await startWithFactor())
    for (const fresh of ['yes', 1, null]) {
      expect(verdict(await una.post(SETUP, { fresh }))).toBe('422 invalid')
    }
  })

  it('is refused when it is enabled, without calling newSecret (ENR-09)', async () => {
    const service = await startWithFactor()
    const duo = await loggedInWithCode(service)
    const answers = [await duo.post(SETUP), await duo.post(SETUP, { fresh: true })]
    expect(answers.map(verdict)).toEqual(times(2, ALREADY_ENABLED))
    expect(service.factor.calls).toMatchObject({ newSecret: 0, qrCode: 0 })
  })

  it.each([
    'data:image/png;base64,QUJD',
    'data:image/svg+xml,%3Csvg/%3E',
    'https://panel.test/qr.png?s=1',
    '/qr/1.png',
  ])('returns an image that is not markup unchanged: %s', async (image) => {
    const service = await startWithFactor()
    service.factor.answerWith('qrCode', image)
    expect((await (await loggedIn(service)).post(SETUP)).json.qr_code).toBe(image)
  })

  const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
  it.each([
    [`<svg ${NAMESPACE}><path d="M0 0"/></svg>`, `<svg ${NAMESPACE}><path d="M0 0"/></svg>`],
    ['<svg width="1"><title>é</title></svg>', `<svg ${NAMESPACE} width="1"><title>é</title></svg>`],
    ['<svg/>', `<svg ${NAMESPACE}/>`],
    [
      `\uFEFF<?xml version="1.0" encoding="ISO-8859-1"?>\n<svg ${NAMESPACE}/>\n`,
      `<svg ${NAMESPACE}/>`,
    ],
    [
      `<!-- a > b --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg ${NAMESPACE}/>`,
      `<!-- a > b --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg ${NAMESPACE}/>`,
    ],
  ])('returns SVG markup as a data URL: %s', async (markup, image) => {
    const service = await startWithFactor()
    service.factor.answerWith('qrCode', markup)
    const { qr_code: url } = (await (await loggedIn(service)).post(SETUP)).json
    expect(url).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(await (await fetch(url)).text()).toBe(image)
  })

  it('markup of many comments without an image is an outage, which takes no time', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    service.factor.answerWith('qrCode', `${'<!---->'.repeat(1000)}<p>`)
    expect((await una.post(SETUP)).status).toBe(503)
  })

  it('returns an image as JSON text, never as a document (ENR-27)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    service.factor.answerWith('qrCode', '<svg onload=alert(1)>')
    const { json, headers } = await una.post(SETUP)
    expect(json.qr_code).not.toContain('<')
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('Second factor: the pending secret', () => {
  it('is stored encrypted and never logged', async () => {
    const stores = watchedStores()
    const service = await startWithFactor({ stores })
    const una = await loggedIn(service)
    const secret = await setUp(una)
    await confirm(una, WRONG)
    const { json } = await confirm(una)
    expect(stores.counts()['sessions.update']).toBe(2)
    const kept = JSON.stringify([stores.calls, service.log, service.events])
    const plain = [secret, CODE, ...json.recovery_codes]
    for (const text of plain.flatMap((one) => [one, btoa(one), Buffer.from(one).toString('hex')])) {
      expect(kept).not.toContain(text)
    }
  })

  it('is readable after a new first key, while the old key is listed', async () => {
    const shared = { stores: memoryStores(), users: somePeople(), clock: fakeClock() }
    const appUrl = 'http://panel.test'
    const other = 'Hq3vT8nLw1XcRz5yKd7Jb0mGf2PsUe4aVi6oYhCtBxE='
    const start = async (...keys: string[]) =>
      startWithFactor({
        ...shared,
        appUrl,
        factor: { secret: 'THESECRET' },
        config: { app: { url: appUrl, keys } },
      })
    const una = await loggedIn(await start(OLD_KEY))
    await setUp(una)
    const rotated = await start(NEW_KEY, OLD_KEY)
    const there = moveTo(rotated, una)
    expect((await there.get(FACTOR)).json.pending).toBe(true)
    expect(await setUp(there)).toBe('THESECRET')
    expect(rotated.factor.calls.newSecret).toBe(0)
    const without = moveTo(await start(other), una)
    expect((await without.get(FACTOR)).json?.pending ?? false).toBe(false)
  })

  it.each([0, 1, 27, 28, 36])(
    'counts as missing when it was cut off after %i characters',
    async (length) => {
      const stores = memoryStores()
      const service = await startWithFactor({ stores })
      const update = stores.sessions.update.bind(stores.sessions)
      stores.sessions.update = (key, { from, to }) =>
        update(key, { from, to: to?.slice(0, length) ?? null })
      const una = await loggedIn(service)
      await una.post(SETUP)
      expect((await una.get(FACTOR)).json.pending).toBe(false)
      expect(verdict(await confirm(una))).toBe(SETUP_MISSING)
    },
  )

  it('is invalid in another session, even when it is copied there (ENR-05)', async () => {
    const stores = memoryStores()
    const service = await startWithFactor({ stores })
    const sealed: (string | null)[] = []
    const update = stores.sessions.update.bind(stores.sessions)
    stores.sessions.update = (key, { from, to }) => {
      sealed.push(to)
      return update(key, { from, to: sealed[0] ?? to })
    }
    const [una, elsewhere] = [await loggedIn(service), await loggedIn(service)]
    await setUp(una)
    expect(verdict(await confirm(elsewhere))).toBe(SETUP_MISSING)
    await setUp(elsewhere)
    expect((await elsewhere.get(FACTOR)).json.pending).toBe(false)
    expect(verdict(await confirm(elsewhere))).toBe(SETUP_MISSING)
    expect(service.factor.calls.verifySetup).toBe(0)
    expect((await una.get(FACTOR)).json.pending).toBe(true)
  })

  it.each<[string, (service: FactorService, una: Awaited<ReturnType<typeof loggedIn>>) => unknown]>(
    [
      [
        'a logout and a login (ENR-06)',
        async (_, una) => {
          await una.post(LOGOUT)
          await una.logIn('u1@x.test')
        },
      ],
      [
        'another login in the same browser (SES-16, ENR-06)',
        async (_, una) => una.logIn('u1@x.test'),
      ],
      ['ten minutes (ENR-13)', ({ clock }) => clock.advance({ minutes: 10 })],
      [
        'enabling by the host, and disabling',
        async ({ factor }, una) => {
          factor.update('u1', { enabled: true })
          expect(verdict(await disable(una))).toBe('ok')
        },
      ],
    ],
  )('is removed after %s', async (_, happens) => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    await happens(service, una)
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: false,
      pending: false,
      codes_unseen: false,
    })
    expect(verdict(await confirm(una))).toBe(SETUP_MISSING)
    expect(service.factor.calls).toMatchObject({ verifySetup: 0, enable: 0 })
  })
})

describe('Limits: setting up', () => {
  it('is limited to ten a minute for the user over all sessions', async () => {
    const service = await startWithFactor()
    const [una, elsewhere] = [await loggedIn(service), await loggedIn(service)]
    const answers: string[] = []
    for (let sent = 0; sent < 5; sent += 1)
      for (const browser of [una, elsewhere]) answers.push(verdict(await browser.post(SETUP)))
    expect(answers).toEqual(times(10, 'ok'))
    const refused = await una.post(SETUP)
    expect(verdict(refused)).toBe('429 too_many_requests')
    expect(refused.json.retry_after).toBe(60)
    expect(service.factor.calls.qrCode).toBe(10)
    expect(verdict(await confirm(una, WRONG))).toBe(WRONG_CODE)
    service.clock.advance({ minutes: 1 })
    expect(verdict(await una.post(SETUP))).toBe('ok')
  })
})
