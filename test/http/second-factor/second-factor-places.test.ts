import { describe, expect, it } from 'vitest'
import type { Browser } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { visitor } from '../../support/logins.ts'
import {
  CODE,
  loggedInWithCode,
  moveTo,
  owingCode,
  sendCode,
  sendCodes,
  startTwoNodes,
  startWithFactor,
  UNLIMITED,
  WRONG,
  type FactorService,
} from '../../support/second-factor.ts'
import { verdict } from '../../support/verdicts.ts'

const DAY = 24 * 60 * 60
const DEVICE = 'svc_device'
const THROTTLED = '422 throttle'

/** Two incorrect codes a day from all unknown places, and two from each known place. */
const FEW = {
  limits: {
    ...UNLIMITED.limits,
    'two-factor.user': { max: 2, window_seconds: DAY },
    'two-factor.place': { max: 2, window_seconds: DAY },
  },
} as const

const start = async (): Promise<FactorService> => startWithFactor({ config: FEW })

/** A thief who knows the password sends incorrect codes, each from a network of its own. */
async function attack(service: FactorService, codes: number): Promise<void> {
  for (let sent = 0; sent < codes; sent += 1) await sendCode(await owingCode(service), WRONG)
}

/** Logs in by the password, and sends the right code. */
async function right(service: FactorService, opened: Browser): Promise<string> {
  return verdict(await sendCode(await owingCode(service, { opened }), CODE))
}

/** A new browser of the same network. */
async function besides(service: FactorService, { address }: Browser): Promise<Browser> {
  return visitor(service, { address })
}

/** The same browser in another network. */
async function elsewhere(service: FactorService, browser: Browser): Promise<Browser> {
  const moved = await visitor(service)
  moved.setCookie(DEVICE, browser.cookie(DEVICE))
  return moved
}

describe('Limits: incorrect codes by place', () => {
  it('a thief with the password keeps the owner out of no place where a login was completed', async () => {
    const service = await start()
    const home = await loggedInWithCode(service)
    await attack(service, 5)
    expect(await right(service, await visitor(service))).toBe(THROTTLED)
    expect(await right(service, home)).toBe('ok')
    expect(await right(service, await elsewhere(service, home))).toBe('ok')
    expect(await right(service, await besides(service, home))).toBe('ok')
    expect(await right(service, await visitor(service))).toBe(THROTTLED)
  })

  it('a known place has an allowance of its own, and no more', async () => {
    const service = await start()
    const home = await loggedInWithCode(service)
    const away = await elsewhere(service, home)
    await owingCode(service, { opened: away })
    await sendCodes(away, 2)
    expect(verdict(await sendCode(away, CODE))).toBe(THROTTLED)
    expect(await right(service, await besides(service, home))).toBe('ok')
    expect(await right(service, await visitor(service))).toBe('ok')
  })

  it('a place is not known by the password alone, nor by a cookie of another user', async () => {
    const service = await startWithFactor({ config: FEW, factor: { enabled: ['u1', 'u2'] } })
    const una = await loggedInWithCode(service, 'u1@x.test')
    await attack(service, 2)
    const thief = await owingCode(service)
    expect(verdict(await sendCode(thief, CODE))).toBe(THROTTLED)
    expect(await right(service, await elsewhere(service, una))).toBe(THROTTLED)
  })

  it('a known browser is not kept out by incorrect codes of its own network', async () => {
    const limits = { ...UNLIMITED.limits, 'two-factor.network': { max: 2, window_seconds: 3600 } }
    const service = await startWithFactor({ config: { limits } })
    const home = await loggedInWithCode(service)
    const colleague = await besides(service, home)
    await owingCode(service, { opened: colleague })
    await sendCodes(colleague, 2)
    expect(verdict(await sendCode(colleague, CODE))).toBe(THROTTLED)
    expect(await right(service, home)).toBe('ok')
  })

  it('`auth.unlock` lifts the limits of codes at unknown and known places', async () => {
    const service = await start()
    const home = await loggedInWithCode(service)
    for (let round = 0; round < 2; round += 1) {
      await attack(service, 3)
      await owingCode(service, { opened: home })
      await sendCodes(home, 2)
      expect(verdict(await sendCode(home, CODE))).toBe(THROTTLED)
      await service.auth.unlock('u1@x.test')
      expect(await right(service, await visitor(service))).toBe(THROTTLED)
      await service.auth.unlock('u2@x.test')
      expect(await right(service, home)).toBe('ok')
      expect(await right(service, await visitor(service))).toBe('ok')
    }
  })

  it('`auth.unlock` lifts the limit of an hour, too', async () => {
    const limits = { ...UNLIMITED.limits, 'two-factor.network': { max: 1, window_seconds: 3600 } }
    const service = await startWithFactor({ config: { limits } })
    const duo = await owingCode(service)
    await sendCode(duo, WRONG)
    expect(verdict(await sendCode(duo, CODE))).toBe(THROTTLED)
    await service.auth.unlock('u2@x.test')
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it.each(Object.entries(storesOfTwoNodes))(
    'a hundred incorrect codes of a thief leave the known browser its login, on %s',
    async (_, open) => {
      const [first, second] = await startTwoNodes(await open())
      const home = await loggedInWithCode(first)
      for (let login = 0; login < 20; login += 1) {
        await sendCodes(await owingCode(login % 2 === 0 ? first : second), 5)
      }
      expect(await right(second, await visitor(second))).toBe(THROTTLED)
      expect(await right(second, moveTo(second, home))).toBe('ok')
    },
  )
})
