import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD, type Browser } from '../../support/browser.ts'
import { faultyStores, type Fault, type FaultyStores } from '../../support/faulty-stores.ts'
import { attempt, loggedIn, visitor } from '../../support/logins.ts'
import { CODES_SEEN, FACTOR, USER } from '../../support/paths.ts'
import { SESSION } from '../../support/session-cookies.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  moveTo,
  owingCode,
  sendCode,
  setUp,
  startTwoNodes,
  type FactorService,
} from '../../support/second-factor.ts'
import { atDeadline } from '../../support/time.ts'
import { ALREADY_ENABLED, GUEST, verdict } from '../../support/verdicts.ts'

/** More calls of the stores than a confirmation makes. */
const MOST_CALLS = 21
const CALLS = Array.from({ length: MOST_CALLS }, (_, index) => index + 1)

/** Runs a case for each call of the stores, from 1. The case returns whether its call was made. */
async function forEachCall(run: (number: number) => Promise<boolean>): Promise<void> {
  const reached = await Promise.all(CALLS.map(run))
  expect(reached.filter(Boolean).length).toBeGreaterThan(5)
  expect(reached.at(-1)).toBe(false)
}

const DOWN = 'fails, and so do all later ones'

interface Scene {
  readonly stores: FaultyStores
  /** The node whose stores fail, and another one that works. */
  readonly first: FactorService
  readonly second: FactorService
  /** The owner's browser, and the others that were logged in without a code. */
  readonly una: Browser
  readonly before: readonly Browser[]
}

/** The owner has set up the second factor and not confirmed it; a thief has a session, too. */
async function aboutToConfirm(): Promise<Scene> {
  const shared = memoryStores()
  const stores = faultyStores(shared)
  const [first, second] = await startTwoNodes([stores, shared])
  const una = await loggedIn(first)
  const thief = await loggedIn(second)
  await setUp(una)
  return { stores, first, second, una, before: [moveTo(second, una), thief] }
}

/** Confirms while the call with the number fails. @returns whether that call was reached. */
async function confirmWhileBroken({ stores, una }: Scene, number: number, fault: Fault) {
  stores.breakAt(number, fault)
  await confirm(una)
  return stores.repair() >= number
}

async function expectNobodyInWithoutCode({ first, second }: Scene, browsers: readonly Browser[]) {
  if (!first.factor.row('u1').enabled) return
  // A turn that a failing store did not end expires after a minute.
  first.clock.advance({ minutes: 1 })
  for (const browser of browsers) {
    const answers = [
      await moveTo(first, browser).get(USER),
      await moveTo(second, browser).get(USER),
    ]
    for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(400)
    expect((await disable(moveTo(second, browser))).status).toBeGreaterThanOrEqual(400)
  }
  expect(first.factor.row('u1').enabled).toBe(true)
}

describe('When a store fails while the second factor is enabled', () => {
  it.each(['fails', 'fails after its work', DOWN] as const)(
    'no session without a code is accepted afterwards, whichever call %s',
    async (fault) =>
      forEachCall(async (number) => {
        const scene = await aboutToConfirm()
        const isReached = await confirmWhileBroken(scene, number, fault)
        await expectNobodyInWithoutCode(scene, scene.before)
        // A turn that the failing store has left expires after a minute.
        scene.first.clock.advance({ minutes: 1 })
        await confirm(scene.una)
        await expectNobodyInWithoutCode(scene, scene.before)
        return isReached
      }),
  )

  it('the owner can go on: by a code where it was enabled, by a set-up where it was not', async () =>
    forEachCall(async (number) => {
      const scene = await aboutToConfirm()
      const isReached = await confirmWhileBroken(scene, number, 'fails')
      const { first } = scene
      if (first.factor.row('u1').enabled) {
        const una = await owingCode(first, { email: 'u1@x.test' })
        expect(verdict(await sendCode(una, CODE))).toBe('ok')
        expect((await una.get(FACTOR)).json).toMatchObject({ enabled: true, codes_unseen: true })
      } else {
        const una = await loggedIn(first)
        await setUp(una)
        expect(verdict(await confirm(una))).toBe('ok')
        expect((await una.get(USER)).status).toBe(200)
      }
      await expectNobodyInWithoutCode(scene, scene.before)
      return isReached
    }))

  it.each(CALLS)('a login before call %i leaves no session without a code', async (login) => {
    for (let number = login; number <= MOST_CALLS; number += 1) {
      const scene = await aboutToConfirm()
      const thief = await visitor(scene.second)
      scene.stores.interruptAt(login, async () => attempt(thief, 'u1@x.test', PASSWORD))
      const isReached = await confirmWhileBroken(scene, number, DOWN)
      await expectNobodyInWithoutCode(scene, [...scene.before, thief])
      if (!isReached) return
    }
    expect.fail('a confirmation makes more calls')
  })

  it('no session without a code is accepted by another node after this one was killed at any call', async () => {
    let killed = 0
    await atDeadline(
      async () =>
        forEachCall(async (number) => {
          const { stores, first, second, una, before } = await aboutToConfirm()
          stores.breakAt(number, 'hangs')
          const answer = confirm(una)
          const { factor } = first
          await expect
            .poll(
              () => stores.calls() >= number || una.cookie(SESSION) !== before[0]?.cookie(SESSION),
            )
            .toBe(true)
          killed += 1
          if (factor.row('u1').enabled) {
            for (const browser of before) {
              expect((await moveTo(second, browser).get(USER)).status).not.toBe(200)
            }
            second.clock.advance({ minutes: 1 })
            for (const browser of before) {
              expect(verdict(await moveTo(second, browser).get(USER))).toBe(GUEST)
            }
          }
          return (await answer).status === 503
        }),
      () => killed === MOST_CALLS,
    )
  })

  it('an `enable` that answers too late ends the sessions that were opened meanwhile', async () => {
    const { first, second, una, before } = await aboutToConfirm()
    const goOn = first.factor.hang('enable')
    const thief = await visitor(second)
    let isThiefIn = false
    const logInMeanwhile = async (): Promise<void> => {
      await vi.waitFor(() => expect(first.factor.calls.enable).toBe(1))
      expect(await attempt(thief, 'u1@x.test', PASSWORD)).toBe('ok')
      // Nobody has seen recovery codes yet, so that this must not spare the next session.
      expect(verdict(await thief.post(CODES_SEEN))).toBe('ok')
      expect(await attempt(thief, 'u1@x.test', PASSWORD)).toBe('ok')
      isThiefIn = true
    }
    const [late] = await atDeadline(
      async () => Promise.all([confirm(una), logInMeanwhile()]),
      () => isThiefIn,
    )
    expect(late.status).toBe(503)
    expect((await thief.get(USER)).status).toBe(200)
    second.clock.advance({ minutes: 1 })
    goOn()
    await expect.poll(() => first.factor.row('u1').enabled).toBe(true)
    for (const browser of [...before, thief]) expect(verdict(await browser.get(USER))).toBe(GUEST)
  })
})

describe('When a store fails while the second factor is disabled', () => {
  it('no other session is left once it is disabled, whichever call fails', async () =>
    forEachCall(async (number) => {
      const shared = memoryStores()
      const stores = faultyStores(shared)
      const [first, second] = await startTwoNodes([stores, shared])
      const duo = await loggedInWithCode(first)
      const elsewhere = await loggedInWithCode(second)
      stores.breakAt(number, 'fails')
      await disable(duo)
      if (!first.factor.row('u2').enabled) expect(verdict(await elsewhere.get(USER))).toBe(GUEST)
      return stores.repair() >= number
    }))
})

describe('A request that arrives while the second factor is being enabled', () => {
  it('is answered 409 if it confirms, because the factor is enabled by then', async () => {
    const { first, una } = await aboutToConfirm()
    const goOn = first.factor.hang('enable')
    const winner = confirm(una.copy())
    await expect.poll(() => first.factor.calls.enable).toBe(1)
    const asked = first.factor.calls.isEnabledFor
    const losers = [confirm(una.copy()), confirm(una.copy(), '000000')]
    await expect.poll(() => first.factor.calls.isEnabledFor).toBeGreaterThanOrEqual(asked + 4)
    goOn()
    expect(verdict(await winner)).toBe('ok')
    for (const loser of losers) expect(verdict(await loser)).toBe(ALREADY_ENABLED)
  })
})
