import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { attempt, visitor } from '../../support/logins.ts'
import { countHashes } from '../../support/hashing.ts'
import {
  CODE,
  owingCode,
  sendCode,
  startTwoNodes,
  startWithFactor,
} from '../../support/second-factor.ts'
import { startService, type Changes, type TestService } from '../../support/service.ts'
import { FAILED, THROTTLED, times, verdict } from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const DAY = 24 * 60 * 60
const DEVICE = 'svc_device'
const UNRATIONED = { max: 100_000, window_seconds: 60 }
const FEW = {
  limits: {
    login: UNRATIONED,
    'login.failed': UNRATIONED,
    'login.failed.account': { max: 3, window_seconds: DAY },
    'login.failed.place': { max: 2, window_seconds: DAY },
  },
} as const

const start = async (changes: Changes = {}) => startService({ config: FEW, ...changes })

const CEILING_OF_TWO = { 'login.failed.account': { max: 2, window_seconds: DAY } } as const

/** Wrong passwords, each from a network of its own. */
async function attack(service: TestService, count: number, email = 'u1@x.test') {
  const verdicts: string[] = []
  for (let made = 0; made < count; made += 1)
    verdicts.push(await attempt(await visitor(service), email))
  return verdicts
}

/** A browser in which U1 has completed a login. */
async function atHome(service: TestService): Promise<Browser> {
  const browser = service.browser()
  expect(verdict(await browser.logIn('u1@x.test'))).toBe('ok')
  return browser
}

/** The same browser in another network. */
async function elsewhere(service: TestService, browser: Browser): Promise<Browser> {
  const moved = await visitor(service)
  moved.setCookie(DEVICE, browser.cookie(DEVICE))
  return moved
}

const right = async (browser: Browser, email = 'u1@x.test') => attempt(browser, email, PASSWORD)

describe('Account ceiling: unknown places', () => {
  it('are admitted until three failed in a row; then only known places are', async () => {
    const service = await start()
    const home = await atHome(service)
    expect(await attack(service, 4)).toEqual([...times(3, FAILED), THROTTLED])
    expect(await right(await visitor(service))).toBe(THROTTLED)
    expect(await right(home)).toBe('ok')
  })

  it('are admitted at one unknown address although another is exhausted', async () => {
    const service = await start()
    expect(await attack(service, 4, 'nobody@x.test')).toEqual([...times(3, FAILED), THROTTLED])
    expect(await attack(service, 1, 'somebody@x.test')).toEqual([FAILED])
  })

  it('are admitted again after a completed login from anywhere', async () => {
    const service = await start()
    const home = await atHome(service)
    await attack(service, 4)
    expect(await right(home)).toBe('ok')
    expect(await right(await visitor(service))).toBe('ok')
    expect(await attack(service, 4)).toEqual([...times(3, FAILED), THROTTLED])
  })

  it('emit `lockout` once for each row of failures', async () => {
    const service = await startService({
      config: { limits: { ...FEW.limits, 'login.failed': { max: 5, window_seconds: 60 } } },
    })
    await attack(service, 3)
    const una = await visitor(service)
    for (let made = 0; made < 8; made += 1) expect(await right(una)).toBe(THROTTLED)
    expect(service.events.filter(({ event }) => event === 'lockout')).toHaveLength(1)
  })

  it('return the correct `retry_after`', async () => {
    const service = await start()
    await attack(service, 3)
    service.clock.advance({ hours: 1 })
    const una = await visitor(service)
    const refused = await una.post('/svc/api/login', { email: 'u1@x.test', password: PASSWORD })
    expect(refused.json.retry_after).toBe(DAY - 60 * 60)
    service.clock.advance({ seconds: refused.json.retry_after })
    expect(await right(una)).toBe('ok')
  })

  it('THR-19: cost and answer the same for an unknown email', async () => {
    const stores = watchedStores()
    const service = await start({ stores })
    const cookie = (await atHome(service)).cookie(DEVICE)
    const seen = await Promise.all(
      ['u1@x.test', 'nobody@x.test'].map(async (email) => {
        const answers: unknown[] = []
        for (let made = 0; made < 5; made += 1) {
          const una = await visitor(service)
          if (made % 2 === 1) una.setCookie(DEVICE, `${cookie?.slice(0, -1)}_`)
          stores.counts()
          const { status, text } = await una.post('/svc/api/login', { email, password: 'wrong' })
          answers.push([status, text.replaceAll(/\d+/g, 'N')])
        }
        return answers
      }),
    )
    expect(seen[0]).toEqual(seen[1])
    const calls = async (email: string) => {
      const una = await visitor(service)
      stores.counts()
      await attempt(una, email)
      return stores.counts()
    }
    expect(await calls('u1@x.test')).toEqual(await calls('nobody@x.test'))
    await service.auth.unlock('u1@x.test')
    await service.auth.unlock('nobody@x.test')
    expect(await calls('u1@x.test')).toEqual(await calls('nobody@x.test'))
  })
})

describe('Account ceiling: known places', () => {
  it('a known network has a count of its own', async () => {
    const service = await start()
    const home = await atHome(service)
    const neighbour = await visitor(service, { address: home.address })
    expect(await attempt(neighbour, 'u1@x.test')).toBe(FAILED)
    expect(await attempt(neighbour, 'u1@x.test')).toBe(FAILED)
    expect(await right(neighbour)).toBe(THROTTLED)
    expect(await attack(service, 3)).toEqual(times(3, FAILED))
  })

  it('a browser with the device cookie is known in every network and has a count of its own', async () => {
    const service = await start()
    const home = await atHome(service)
    await attack(service, 4)
    const travelling = await elsewhere(service, home)
    expect(await attempt(travelling, 'u1@x.test')).toBe(FAILED)
    expect(await attempt(travelling, 'u1@x.test')).toBe(FAILED)
    expect(await right(travelling)).toBe(THROTTLED)
    expect(await right(home)).toBe(THROTTLED)
    const neighbour = await visitor(service, { address: home.address })
    expect(await right(neighbour)).toBe('ok')
  })

  it('start counting anew after a login that is completed there', async () => {
    const service = await start()
    const home = await atHome(service)
    for (let round = 0; round < 3; round += 1) {
      expect(await attempt(home, 'u1@x.test')).toBe(FAILED)
      expect(await right(home)).toBe('ok')
    }
  })

  it.each([
    [89, 'ok'],
    [91, THROTTLED],
  ])('a device is known for 90 days: on day %i it is %s', async (days, expected) => {
    const service = await start()
    const home = await atHome(service)
    service.clock.advance({ seconds: days * DAY })
    await attack(service, 3)
    expect(await right(await elsewhere(service, home))).toBe(expected)
  })

  it.each<[string, (cookie: string) => string]>([
    ['another id', (cookie) => `${'A'.repeat(43)}${cookie.slice(43)}`],
    ['another date', (cookie) => cookie.replace(/\.(\d+)\./, (_, at) => `.${Number(at) + 1}.`)],
    ['another MAC', (cookie) => `${cookie.slice(0, -43)}${'A'.repeat(43)}`],
    ['no MAC', (cookie) => cookie.slice(0, -44)],
    ['nothing', () => ''],
  ])('ignores a device cookie with %s', async (_, change) => {
    const service = await start()
    const home = await atHome(service)
    await attack(service, 3)
    const forged = await visitor(service)
    forged.setCookie(DEVICE, change(home.cookie(DEVICE) ?? ''))
    expect(await right(forged)).toBe(THROTTLED)
  })

  it('ignores a device cookie of another user', async () => {
    const service = await start()
    const duo = service.browser()
    await duo.logIn('u2@x.test')
    await attack(service, 3)
    expect(await right(await elsewhere(service, duo))).toBe(THROTTLED)
  })
})

describe('The device cookie', () => {
  it('is HttpOnly, lives 90 days, keeps its id, and survives a logout', async () => {
    const service = await start()
    const una = service.browser()
    const lines = (await una.logIn('u1@x.test')).headers['set-cookie'] ?? []
    expect(lines.find((line) => line.startsWith('svc_device='))).toMatch(
      /^svc_device=[\w-]{43}\.\d+\.[\w-]{43}; Path=\/; SameSite=Lax; HttpOnly; Max-Age=7776000$/,
    )
    const before = una.cookie(DEVICE)
    await una.post('/svc/api/logout')
    expect(una.cookie(DEVICE)).toBe(before)
    service.clock.advance({ seconds: 1 })
    await una.logIn('u1@x.test')
    expect(una.cookie(DEVICE)).not.toBe(before)
    expect(una.cookie(DEVICE)?.slice(0, 43)).toBe(before?.slice(0, 43))
  })

  it('is __Host-svc_device and Secure on https', async () => {
    const service = await start({ appUrl: 'https://panel.test' })
    const lines = (await service.browser().logIn('u1@x.test')).headers['set-cookie'] ?? []
    expect(lines.find((line) => line.startsWith('__Host-svc_device='))).toMatch(
      /; Path=\/; SameSite=Lax; Secure; HttpOnly; Max-Age=7776000$/,
    )
  })

  it('does not replace the password', async () => {
    const service = await start()
    const home = await atHome(service)
    const thief = await elsewhere(service, home)
    expect(await attempt(thief, 'u1@x.test')).toBe(FAILED)
    expect(verdict(await thief.get('/svc/api/user'))).toBe('401 unauthenticated')
  })

  it('is set after the code, not after the password, when a code is required', async () => {
    const service = await startWithFactor({ config: FEW })
    const duo = await owingCode(service)
    expect(duo.cookie(DEVICE)).toBeNull()
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
    expect(duo.cookie(DEVICE)).not.toBeNull()
  })
})

describe('Account ceiling: a login with a pending second factor', () => {
  it('neither makes its place known nor ends the row of failures before the code', async () => {
    const service = await startWithFactor({ config: FEW })
    const duo = await owingCode(service)
    await attack(service, 2, 'u2@x.test')
    await owingCode(service)
    expect(await attack(service, 2, 'u2@x.test')).toEqual([FAILED, THROTTLED])
    expect(await right(duo, 'u2@x.test')).toBe(THROTTLED)
  })

  it('makes its place known and ends the row of failures with the code', async () => {
    const service = await startWithFactor({ config: FEW })
    const duo = await owingCode(service)
    await attack(service, 4, 'u2@x.test')
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
    expect(await attack(service, 4, 'u2@x.test')).toEqual([...times(3, FAILED), THROTTLED])
    expect(await right(duo, 'u2@x.test')).toBe('ok')
  })
})

describe('auth.unlock', () => {
  it('lifts the limits of the account at unknown and known places, and can be repeated', async () => {
    const service = await start()
    const home = await atHome(service)
    for (let round = 0; round < 3; round += 1) {
      await attack(service, 4)
      for (let made = 0; made < 3; made += 1) await attempt(home, 'u1@x.test')
      expect([await right(await visitor(service)), await right(home)]).toEqual(times(2, THROTTLED))
      await service.auth.unlock(' U1@X.test')
      expect(await right(home)).toBe('ok')
      expect(await attack(service, 4)).toEqual([...times(3, FAILED), THROTTLED])
      await service.auth.unlock('u1@x.test')
      expect(await right(await visitor(service))).toBe('ok')
    }
  })

  it('leaves other accounts and tenants alone', async () => {
    const service = await start()
    await attack(service, 3)
    await service.auth.unlock('u2@x.test')
    await service.auth.unlock('u1@x.test', { tenant: 'other' })
    await service.auth.unlock('nobody@x.test')
    expect(await right(await visitor(service))).toBe(THROTTLED)
  })
})

it.each(Object.entries(storesOfTwoNodes))(
  'The account ceiling is one for two nodes on %s',
  async (_, openStores) => {
    const [first, second] = await startTwoNodes(await openStores(), { config: FEW })
    const home = await visitor(first)
    expect(await right(home)).toBe('ok')
    expect(await attack(first, 2)).toEqual(times(2, FAILED))
    expect(await attack(second, 1)).toEqual([FAILED])
    expect(await right(await visitor(second))).toBe(THROTTLED)
    expect(await right(await elsewhere(second, home))).toBe('ok')
    expect(await right(await visitor(first))).toBe('ok')
  },
)

describe('Limits: failed logins of one email over all networks', () => {
  it('THR-19: checks at most 100 a day, and then admits only networks of earlier logins', async () => {
    const service = await startService()
    const home = await visitor(service)
    expect(await attempt(home, 'u1@x.test', PASSWORD)).toBe('ok')
    const checked = countHashes()
    const known = await fromManyNetworks(service, 'u1@x.test')
    expect(checked()).toBe(100)
    const unknown = await fromManyNetworks(service, 'nobody@x.test')
    expect(checked()).toBe(200)
    expect(known).toEqual(unknown)

    const abroad = await visitor(service)
    expect(await attempt(abroad, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    expect(await attempt(home, 'u1@x.test', PASSWORD)).toBe('ok')
    service.clock.advance({ seconds: DAY })
    expect(await attempt(abroad, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it.each([
    ['is known for 90 days after a login from it', [0], 89, 'ok'],
    ['is known for 90 days after the last login from it', [0, 89], 100, 'ok'],
    ['is not known any more after 90 days', [0], 91, THROTTLED],
  ])('a network %s', async (_what, logins, day, expected) => {
    const service = await startService({ config: { limits: CEILING_OF_TWO } })
    const start = service.clock.now()
    const home = service.browser()
    for (const at of logins) {
      service.clock.set(start + at * DAY * 1000)
      expect(verdict(await home.logIn('u1@x.test'))).toBe('ok')
    }
    service.clock.set(start + day * DAY * 1000)
    await onceFromEach(service, 3)
    // Without the device cookie, by which the browser is known in any network.
    const neighbour = await visitor(service, { address: home.address })
    expect(await attempt(neighbour, 'u1@x.test', PASSWORD)).toBe(expected)
  })
})

/** Five wrong passwords from each of 30 addresses, five of one address at the same time: no more than can be hashed. */
async function fromManyNetworks(service: TestService, email: string): Promise<readonly string[]> {
  const verdicts: string[] = []
  for (let address = 0; address < 30; address += 1) {
    const browser = await visitor(service)
    verdicts.push(
      ...(await Promise.all(times(5, email).map(async () => attempt(browser.copy(), email)))),
    )
  }
  return verdicts.toSorted()
}

/** A wrong password from each of so many addresses. */
async function onceFromEach(service: TestService, addresses: number): Promise<readonly string[]> {
  const verdicts: string[] = []
  for (let made = 0; made < addresses; made += 1) {
    verdicts.push(await attempt(await visitor(service), 'u1@x.test'))
  }
  return verdicts
}
