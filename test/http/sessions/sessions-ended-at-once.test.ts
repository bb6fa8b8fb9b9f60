import type { SessionStore, Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../../support/browser.ts'
import { actingAs, EVERYBODY, goBack } from '../../support/open-session.ts'
import { USER } from '../../support/paths.ts'
import {
  disable,
  loggedInWithCode,
  startWithFactor,
  type FactorService,
} from '../../support/second-factor.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

type Step = (service: FactorService, duo: Browser) => Promise<unknown>

describe('Ending all sessions of a user', () => {
  it.each<readonly [string, { readonly before?: Step; readonly meanwhile: Step }]>([
    [
      'gets a new id with a change of the second factor',
      { meanwhile: async (_, duo) => disable(duo) },
    ],
    [
      'waits for the way back from now on',
      { meanwhile: async (service, duo) => act(service, duo) },
    ],
    ['is given back', { before: act, meanwhile: async (_, duo) => goBack(duo) }],
  ])('ends one that %s while the store removes them', async (_what, { before, meanwhile }) => {
    const { stores, interrupt } = storesInTwoSteps()
    const service = await startWithFactor({ stores, impersonation: EVERYBODY })
    const duo = await loggedInWithCode(service)
    await before?.(service, duo)
    interrupt('u2', async () => meanwhile(service, duo))
    await service.auth.endSessions('u2')
    expect(verdict(await duo.get(USER))).toBe(GUEST)
  })
})

/** Lets U2 act as another user. */
async function act(service: FactorService, duo: Browser): Promise<unknown> {
  return actingAs(service, duo, 'u4', 'u2')
}

/** Stores that read the keys of the sessions of an owner and then remove them, as Redis does. */
function storesInTwoSteps() {
  const stores = memoryStores()
  const steps = new Map<string, () => Promise<unknown>>()
  const destroyOthers: SessionStore['destroyOthers'] = async (owner, except) => {
    const all = await stores.sessions.list(owner, 0)
    const step = steps.get(owner.userId)
    steps.delete(owner.userId)
    await step?.()
    const others = all.filter(({ key }) => key !== except)
    const ended = await Promise.all(others.map(async ({ key }) => stores.sessions.destroy(key)))
    return ended.filter(Boolean).length
  }
  const sessions = { ...stores.sessions, destroyOthers }
  return {
    stores: { ...stores, sessions } satisfies Stores,
    /** Runs a step between the two of the next removal of a user's sessions. */
    interrupt: (userId: string, step: () => Promise<unknown>) => void steps.set(userId, step),
  }
}
