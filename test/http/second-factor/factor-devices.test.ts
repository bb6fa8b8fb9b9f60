import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  addDevice,
  begin,
  confirmDevice,
  devicesOf,
  enrolled,
  logInBy,
  removeDevice,
  startDevices,
} from '../../support/factor-devices.ts'
import { CODE_STEP, CONFIRM, FACTOR, LOGOUT, USER } from '../../support/paths.ts'
import type { Answer, Browser } from '../../support/browser.ts'
import {
  CODE,
  disable,
  loggedInWithCode,
  setUp,
  startWithFactor,
} from '../../support/second-factor.ts'
import { payloadsOf } from '../../support/service.ts'
import { verdict } from '../../support/verdicts.ts'

const INVALID = '422 two_factor_invalid'
const NOT_FOUND = '404 not_found'
const SETUP_MISSING = '422 two_factor_setup_missing'

describe('A user who has the second factor', () => {
  it('adds a device by a code, and logs in with the codes of either', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    expect(await devicesOf(browser)).toMatchObject([{ name: null }])
    const pixel = await addDevice(service, browser, secret, ' Pixel ')
    expect(await devicesOf(browser)).toMatchObject([{ name: null }, { name: 'Pixel' }])
    for (const one of [secret, pixel])
      expect(verdict(await logInBy(service, service.codeFor(one)))).toBe('ok')
    const network = browser.address
    expect(payloadsOf(service, 'two-factor.device-added')).toEqual([
      { userId: 'u1', tenant: null, network },
    ])
  })

  it('removes a device by a code of another, and its codes are refused', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const pixel = await addDevice(service, browser, secret)
    const [first] = await devicesOf(browser)
    const answer = await removeDevice(browser, first?.id ?? '', service.codeFor(pixel))
    expect(verdict(answer)).toBe('ok')
    service.clock.advance({ seconds: 60 })
    expect(await devicesOf(browser)).toMatchObject([{ name: 'Pixel' }])
    expect(verdict(await logInBy(service, service.codeFor(secret)))).toBe(INVALID)
    expect(verdict(await logInBy(service, service.codeFor(pixel)))).toBe('ok')
    expect(payloadsOf(service, 'two-factor.device-removed')).toHaveLength(1)
  })

  it('replaces a lost device with a recovery code, which is then used up', async () => {
    const service = await startDevices()
    const { browser, recovery } = await enrolled(service)
    const [one = '', other = ''] = recovery
    const { json } = await begin(browser, one)
    expect(verdict(await confirmDevice(browser, service.codeFor(json.secret)))).toBe('ok')
    expect(verdict(await begin(browser, one))).toBe(INVALID)
    const [lost] = await devicesOf(browser)
    expect(verdict(await removeDevice(browser, lost?.id ?? '', other))).toBe('ok')
    expect((await browser.get(FACTOR)).json).toMatchObject({ recovery_codes_left: 8 })
  })

  it('may give a name in any language, of at most 60 characters', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const { json } = await begin(browser, service.codeFor(secret))
    const code = service.codeFor(json.secret)
    for (const name of ['', ' ', 'x'.repeat(61), 'a\u0000b', 'a\nb', '\ud800', 7, null]) {
      const { status, json: said } = await confirmDevice(browser, code, name)
      expect([status, Object.keys(said.errors)]).toEqual([422, ['name']])
    }
    const name = `هاتفي <b>"\u{1F4F1}`.padEnd(60, 'é')
    expect(verdict(await confirmDevice(browser, code, name))).toBe('ok')
    expect(await devicesOf(browser)).toMatchObject([{}, { name }])
  })

  it('has a listed device with the times of its addition and of its last code', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const pixel = await addDevice(service, browser, secret)
    service.clock.advance({ minutes: 30 })
    const now = service.clock.now()
    await logInBy(service, service.codeFor(pixel))
    const [first, second] = await devicesOf(browser)
    expect(Date.parse(second?.added_at ?? '')).toBe(now - 31 * 60_000)
    expect(Date.parse(second?.last_used_at ?? '')).toBeGreaterThan(now - 30_000)
    expect(Date.parse(first?.last_used_at ?? '')).toBeLessThan(now - 30 * 60_000)
  })

  it('has at most five devices, however the sixth is added', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const other = service.browser()
    await other.logIn('u1@x.test')
    await other.post(CODE_STEP, {
      code: service.codeFor(secret),
    })
    service.clock.advance({ seconds: 60 })
    const waiting = await begin(other, service.codeFor(secret))
    service.clock.advance({ seconds: 60 })
    for (const name of ['a', 'b', 'c', 'd']) await addDevice(service, browser, secret, name)
    expect(verdict(await begin(browser, service.codeFor(secret)))).toBe(
      '409 two_factor_devices_full',
    )
    const late = await confirmDevice(other, service.codeFor(waiting.json.secret))
    expect(verdict(late)).toBe('409 two_factor_devices_full')
    expect(await devicesOf(browser)).toHaveLength(5)
  })
})

describe('A session that was taken over', () => {
  it('APP-01: adds no device without a code of the user', async () => {
    const service = await startDevices()
    const { browser } = await enrolled(service)
    for (const code of [undefined, '', '000000', 'aaaa-bbbb-cccc'])
      expect((await begin(browser, code)).status).toBe(422)
    expect(verdict(await confirmDevice(browser, '000000'))).toBe(SETUP_MISSING)
    expect(await devicesOf(browser)).toHaveLength(1)
  })

  it('APP-01: removes no device without a code of the user', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    await addDevice(service, browser, secret)
    for (const { id } of await devicesOf(browser))
      expect(verdict(await removeDevice(browser, id, '000000'))).toBe(INVALID)
    expect(await devicesOf(browser)).toHaveLength(2)
    expect(payloadsOf(service, 'two-factor.failed')).toHaveLength(2)
  })

  it('APP-02: guesses no more codes than a login, as both are counted together', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    await addDevice(service, browser, secret)
    const [{ id } = { id: '' }] = await devicesOf(browser)
    for (let count = 0; count < 10; count += 1) {
      expect(verdict(await begin(browser, '000000'))).toBe(INVALID)
      expect(verdict(await removeDevice(browser, id, '000000'))).toBe(INVALID)
    }
    for (const answer of [
      await begin(browser, service.codeFor(secret)),
      await removeDevice(browser, id, service.codeFor(secret)),
    ]) {
      expect(answer.json).toMatchObject({
        key: 'svc::auth.throttle',
        errors: { code: [expect.any(String)] },
      })
    }
    await browser.post(LOGOUT)
    await browser.logIn('u1@x.test')
    const answer = await browser.post(CODE_STEP, { code: service.codeFor(secret) })
    expect(answer.json).toMatchObject({ key: 'svc::auth.throttle' })
    // The user logs in elsewhere.
    expect(verdict(await logInBy(service, service.codeFor(secret)))).toBe('ok')
  })

  it('APP-02: loses no attempt by right codes', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    for (let count = 0; count < 25; count += 1) {
      expect((await begin(browser, service.codeFor(secret))).status).toBe(200)
      service.clock.advance({ seconds: 30 })
    }
  })

  it('APP-03: uses a code once, for a login, a new device or a removal', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const pixel = await addDevice(service, browser, secret)
    const [{ id } = { id: '' }] = await devicesOf(browser)
    const code = service.codeFor(pixel)
    expect((await begin(browser, code)).status).toBe(200)
    expect(verdict(await begin(browser, code))).toBe(INVALID)
    expect(verdict(await removeDevice(browser, id, code))).toBe(INVALID)
    expect(verdict(await logInBy(service, code))).toBe(INVALID)
  })

  it('APP-04: confirms nothing with the secret of another session or of another set-up', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const { json } = await begin(browser, service.codeFor(secret))
    const code = service.codeFor(json.secret)
    service.clock.advance({ seconds: 30 })
    const thief = service.browser()
    await thief.logIn('u1@x.test')
    await thief.post(CODE_STEP, {
      code: service.codeFor(secret),
    })
    expect(verdict(await confirmDevice(thief, code))).toBe(SETUP_MISSING)
    expect(verdict(await browser.post(CONFIRM, { code }))).toBe('409 two_factor_already_enabled')
    expect(verdict(await confirmDevice(browser, service.codeFor(json.secret)))).toBe('ok')
    expect(verdict(await confirmDevice(browser, service.codeFor(json.secret)))).toBe(SETUP_MISSING)
  })

  it('APP-04: turns no set-up of the second factor into a device', async () => {
    const service = await startDevices()
    const una = service.browser()
    await una.logIn('u1@x.test')
    const secret = await setUp(una)
    expect(verdict(await begin(una, service.codeFor(secret)))).toBe(NOT_FOUND)
    expect(verdict(await confirmDevice(una, service.codeFor(secret)))).toBe(SETUP_MISSING)
    expect(verdict(await removeDevice(una, 'first', service.codeFor(secret)))).toBe(NOT_FOUND)
  })

  it('APP-04: confirms no device after ten minutes, or after the factor was turned off', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const late = await begin(browser, service.codeFor(secret))
    service.clock.advance({ minutes: 10 })
    expect(verdict(await confirmDevice(browser, service.codeFor(late.json.secret)))).toBe(
      SETUP_MISSING,
    )
    const fresh = await begin(browser, service.codeFor(secret))
    await disable(browser)
    expect(verdict(await confirmDevice(browser, service.codeFor(fresh.json.secret)))).toBe(
      SETUP_MISSING,
    )
    expect((await browser.get(FACTOR)).json).toMatchObject({ enabled: false })
  })

  it('APP-09: adds no device by a code of one that the user has removed since', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const stolen = await addDevice(service, browser, secret)
    const thief = service.browser()
    await thief.logIn('u1@x.test')
    await thief.post(CODE_STEP, { code: service.codeFor(stolen) })
    service.clock.advance({ seconds: 30 })
    const { json } = await begin(thief, service.codeFor(stolen))
    const [, { id } = { id: '' }] = await devicesOf(browser)
    expect(verdict(await removeDevice(browser, id, service.codeFor(secret)))).toBe('ok')
    expect((await confirmDevice(thief, service.codeFor(json.secret))).status).toBe(401)
    expect(await devicesOf(browser)).toHaveLength(1)
  })

  it('APP-05: does not remove the last device, nor the last two at once', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const [only] = await devicesOf(browser)
    const code = service.codeFor(secret)
    expect(verdict(await removeDevice(browser, only?.id ?? '', code))).toBe(
      '409 two_factor_last_device',
    )
    // A removal that cannot succeed uses no code up.
    const pixel = await addDevice(service, browser, secret)
    const [one, other] = await devicesOf(browser)
    const answers = await Promise.all([
      removeDevice(browser, one?.id ?? '', service.codeFor(secret)),
      removeDevice(browser, other?.id ?? '', service.codeFor(pixel)),
    ])
    expect(answers.map(verdict).filter((one) => one === 'ok')).toHaveLength(1)
    expect(await devicesOf(browser)).toHaveLength(1)
  })

  it('APP-06: neither sees nor removes the devices of another user', async () => {
    const service = await startDevices()
    const una = await enrolled(service)
    await addDevice(service, una.browser, una.secret)
    const duo = await enrolled(service, 'u2@x.test')
    const [, pixel] = await devicesOf(una.browser)
    expect(await devicesOf(duo.browser)).toHaveLength(1)
    const code = service.codeFor(duo.secret)
    expect(verdict(await removeDevice(duo.browser, pixel?.id ?? '', code))).toBe(NOT_FOUND)
    expect(verdict(await removeDevice(duo.browser, 'unknown', code))).toBe(NOT_FOUND)
    expect(await devicesOf(una.browser)).toHaveLength(2)
  })

  it('APP-07: reads no secret in the status, the events or the log', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const code = service.codeFor(secret)
    const pixel = await addDevice(service, browser, secret)
    const [, { id } = { id: '' }] = await devicesOf(browser)
    await removeDevice(browser, id, '000000')
    const { text } = await browser.get(FACTOR)
    const seen = JSON.stringify([text, service.events, service.log])
    for (const hidden of [secret, pixel, code]) expect(seen).not.toContain(hidden)
  })

  it('APP-08: adds and removes nothing once it has ended', async () => {
    const service = await startDevices()
    const { browser, secret } = await enrolled(service)
    const { json } = await begin(browser, service.codeFor(secret))
    await service.auth.endSessions('u1')
    expect((await confirmDevice(browser, service.codeFor(json.secret))).status).toBe(401)
    expect((await begin(browser, service.codeFor(secret))).status).toBe(401)
  })
})

const BOUND = { factor: { enabled: ['u2'], devices: true } } as const

describe('The other sessions of a user', () => {
  it('APP-09: end before a device is removed, so that none is left when the node stops', async () => {
    const remove = async () => {
      throw new Error('the node stops')
    }
    const service = await startWithFactor({
      ...BOUND,
      instead: (factor) => ({ ...factor, devices: { ...factor.devices, remove } }) as never,
    })
    const [duo, thief] = [await loggedInWithCode(service), await loggedInWithCode(service)]
    await begin(duo, CODE)
    expect(verdict(await confirmDevice(duo, CODE))).toBe('ok')
    expect((await removeDevice(duo, 'first', CODE)).status).toBe(503)
    expect((await thief.get(USER)).status).toBe(401)
    expect((await duo.get(USER)).status).toBe(200)
  })
})

describe('A session that ends while its code is checked', () => {
  /** Sends a request, ends the session once its code is being checked, and lets the check go on. */
  async function endingMeanwhile(request: (duo: Browser) => Promise<Answer>) {
    const service = await startWithFactor(BOUND)
    const [duo, other] = [await loggedInWithCode(service), await loggedInWithCode(service)]
    await begin(duo, CODE)
    expect(verdict(await confirmDevice(duo, CODE))).toBe('ok')
    const { factor } = service
    const before = factor.calls.verify
    const goOn = factor.hang('verify')
    const answer = request(duo)
    await expect.poll(() => factor.calls.verify).toBe(before + 1)
    await duo.copy().post(LOGOUT)
    factor.recover()
    goOn()
    return { answer: await answer, devices: await devicesOf(other) }
  }

  it('APP-08: gets no secret', async () => {
    const { answer } = await endingMeanwhile(async (duo) => begin(duo, CODE))
    expect(answer.status).toBe(401)
    expect(answer.text).not.toContain('secret')
  })

  it('APP-08: removes no device', async () => {
    const { answer, devices } = await endingMeanwhile(async (duo) =>
      removeDevice(duo, 'first', CODE),
    )
    expect(answer.status).toBe(401)
    expect(devices).toHaveLength(2)
  })
})

describe('An authenticator whose devices', () => {
  it.each(['a b', 'a/b', '..', '.', 'é', '', 'x'.repeat(65)])(
    'have an id that no address names is an outage, named in the log: %j',
    async (id) => {
      const list = () => [{ id, name: null, addedAt: null, lastUsedAt: null }]
      const service = await startWithFactor({
        factor: { enabled: ['u2'], devices: true },
        instead: (factor) => ({ ...factor, devices: { ...factor.devices, list } }) as never,
      })
      const duo = await loggedInWithCode(service)
      expect((await duo.get(FACTOR)).status).toBe(503)
      expect(inspect(service.log)).toContain('Devices.list must return id as a text of')
    },
  )
})

describe('An authenticator with one device for each user', () => {
  it('has no trace of others in the status', async () => {
    const service = await startWithFactor()
    const una = service.browser()
    await una.logIn('u1@x.test')
    expect((await una.get(FACTOR)).json).not.toHaveProperty('devices')
  })

  it('is refused at the start where its devices lack a method', async () => {
    const devices = { list: () => [], add: () => false } as never
    const started = startWithFactor({ instead: (factor) => ({ ...factor, devices }) })
    await expect(started).rejects.toThrow(
      'twoFactor: devices must have the methods list, add and remove',
    )
  })
})
