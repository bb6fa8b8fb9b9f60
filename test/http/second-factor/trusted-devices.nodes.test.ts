import type { Stores } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { someStoresOfTwoNodes, storesOfTwoNodes } from '../../support/databases.ts'
import { faultyStores, type FaultyStores } from '../../support/faulty-stores.ts'
import { visitor } from '../../support/logins.ts'
import { USER } from '../../support/paths.ts'
import {
  moveTo,
  owingCode,
  startTwoNodes,
  type FactorService,
} from '../../support/second-factor.ts'
import {
  asksFor,
  BOUND,
  endDevice,
  listed,
  sendTrusting,
  TRUSTED,
  TRUSTED_OWNER,
  trusting,
} from '../../support/trusted-devices.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

/** Two nodes, of which the stores of the second one can be interrupted and broken. */
async function startNodes(openStores: () => Promise<readonly [Stores, Stores]>) {
  const [one, other] = await openStores()
  const stores = faultyStores(other)
  const [first, second] = await startTwoNodes([one, stores], { sessions: BOUND })
  const duo = await trusting(second)
  return { first, second, stores, duo }
}

type Check = (where: string) => Promise<void>

/**
 * Runs an attempt again and again, and ends all sessions of U2 on another node before its first
 * call of a store, its second one and so on, until an attempt is over before the end.
 *
 * @param attempt Calls `begin` before the calls that count. Returns the check after it.
 * @returns the number of calls that were interrupted.
 */
async function atEachCall(
  node: FactorService,
  stores: FaultyStores,
  attempt: (begin: () => void) => Promise<Check>,
): Promise<number> {
  for (let at = 1; ; at += 1) {
    let hasEnded = false
    const check = await attempt(() => {
      stores.breakAt(Infinity, 'fails')
      stores.interruptAt(at, async () => {
        await node.auth.endSessions('u2')
        hasEnded = true
      })
    })
    stores.repair()
    if (!hasEnded) return at - 1
    await check(`interrupted at call ${at}`)
  }
}

describe.each(Object.entries(storesOfTwoNodes))('A trusted device, %s', (_, openStores) => {
  it('is asked for no code on any node, and is listed and ended on each', async () => {
    const { first, second, duo } = await startNodes(openStores)
    const cookie = duo.cookie(TRUSTED)
    expect(await asksFor(first, { cookie })).toBe('no code')
    const there = moveTo(first, duo)
    const [{ id } = { id: '' }] = await listed(there)
    expect((await endDevice(there, id)).status).toBe(204)
    expect(await asksFor(second, { cookie })).toBe('code')
    expect(await listed(duo)).toEqual([])
  })
})

describe.each(Object.entries(someStoresOfTwoNodes))('A trusted device, %s', (_, openStores) => {
  it('TRU-13: opens no session that outlives the end of all sessions at the same moment', async () => {
    const { first, second, stores } = await startNodes(openStores)
    const interrupted = await atEachCall(first, stores, async (begin) => {
      const cookie = (await trusting(second)).cookie(TRUSTED)
      const browser = await visitor(second)
      browser.setCookie(TRUSTED, cookie)
      begin()
      await browser.logIn('u2@x.test')
      return async (where) => {
        expect(verdict(await browser.get(USER)), where).toBe(GUEST)
        expect(await asksFor(first, { cookie }), where).toBe('code')
      }
    })
    expect(interrupted).toBeGreaterThan(5)
  }, 60_000)

  it('TRU-13: is not made by a login that is ended at the same moment', async () => {
    const { first, second, stores } = await startNodes(openStores)
    const interrupted = await atEachCall(first, stores, async (begin) => {
      const browser = await owingCode(second)
      begin()
      await sendTrusting(browser)
      return async (where) => {
        expect(verdict(await browser.get(USER)), where).toBe(GUEST)
        expect(await asksFor(first, { cookie: browser.cookie(TRUSTED) }), where).toBe('code')
      }
    })
    expect(interrupted).toBeGreaterThan(5)
  }, 60_000)

  it('TRU-13: is left by a login that fails only where its session is, too', async () => {
    const { first, second, stores } = await startNodes(openStores)
    const listOf = async (userId: string) =>
      first.stores.sessions.list({ tenant: null, userId }, first.clock.now())
    async function sendBroken(at: number) {
      await first.auth.endSessions('u2')
      const browser = await owingCode(second)
      stores.breakAt(at, 'fails')
      const { status } = await sendTrusting(browser)
      return { status, calls: stores.repair() }
    }
    const { status, calls } = await sendBroken(Infinity)
    expect(status).toBe(204)
    for (let at = 1; at <= calls; at += 1) {
      await sendBroken(at)
      const [devices, sessions] = [await listOf(TRUSTED_OWNER), await listOf('u2')]
      expect(devices.length, `failed at call ${at}`).toBe(sessions.length)
    }
  }, 60_000)
})
