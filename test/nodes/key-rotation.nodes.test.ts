import { replaceKeys, type PanelConfig, type Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeClock, fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../support/browser.ts'
import { someStoresOfTwoNodes } from '../support/databases.ts'
import { attempt, loggedIn, visitor } from '../support/logins.ts'
import { confirm, moveTo, owingCode, sendCode, setUp, UNLIMITED } from '../support/second-factor.ts'
import { somePeople, startService, type TestService } from '../support/service.ts'
import {
  ALREADY_ENABLED,
  EXPIRED,
  FAILED,
  tally,
  THROTTLED,
  times,
  verdict,
  WRONG_CODE,
} from '../support/verdicts.ts'
import { watchedStores } from '../support/watched-stores.ts'
import { NEW_KEY, OLD_KEY } from '../support/keys.ts'

const APP_URL = 'http://panel.test'

/** Returns a function that starts nodes of one service, with keys of their own. */
function nodesOf(limits: PanelConfig['limits'] = UNLIMITED.limits) {
  const factor = fakeTwoFactor<FakeUser>({ enabled: ['u2'] })
  const shared = { users: somePeople(), clock: fakeClock(), twoFactor: factor, appUrl: APP_URL }
  const start = async (stores: Stores, keys: readonly string[]): Promise<TestService> => {
    const config = { app: { url: APP_URL, keys: [...keys] }, limits }
    const service = await startService({ ...shared, stores, config })
    await service.auth.ready()
    return service
  }
  return { start, factor }
}

/**
 * The keys of two nodes that run at the same time, after the keys of those that ran before. Both
 * know the first key of the first node, so that a browser can move from the first to the second.
 */
const steps = [
  { before: [], keys: [[OLD_KEY], [NEW_KEY, OLD_KEY]] },
  { before: [], keys: [[OLD_KEY], [OLD_KEY, NEW_KEY]] },
  {
    before: [[OLD_KEY], [OLD_KEY, NEW_KEY]],
    keys: [
      [OLD_KEY, NEW_KEY],
      [NEW_KEY, OLD_KEY],
    ],
  },
  { before: [[OLD_KEY], [NEW_KEY, OLD_KEY]], keys: [[NEW_KEY, OLD_KEY], [NEW_KEY]] },
  { before: [[OLD_KEY], [OLD_KEY, NEW_KEY]], keys: [[NEW_KEY], [OLD_KEY, NEW_KEY]] },
  { before: [[OLD_KEY], [NEW_KEY, OLD_KEY], [OLD_KEY]], keys: [[OLD_KEY], [NEW_KEY, OLD_KEY]] },
  { before: [[OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY]], keys: [[NEW_KEY, OLD_KEY], [NEW_KEY]] },
].map(({ before, keys: [first = [], second = []] }) => ({
  name: `a node with ${named(first)} and one with ${named(second)}`,
  before,
  first,
  second,
}))

function named(keys: readonly string[]): string {
  return keys.map((key) => (key === OLD_KEY ? 'the old key' : 'the new key')).join(', ')
}

describe.each(Object.entries(someStoresOfTwoNodes))('While keys are rotated, on %s', (_, open) => {
  async function startStep(
    { before, first, second }: (typeof steps)[number],
    limits?: PanelConfig['limits'],
  ) {
    const [one, other] = await open()
    const { start, factor } = nodesOf(limits)
    for (const keys of before) await start(one, keys)
    return { factor, nodes: [await start(one, first), await start(other, second)] as const }
  }

  it.each(steps)('$name check five passwords together', async (step) => {
    const { nodes } = await startStep(step)
    const guest = await visitor(nodes[0])
    const guests = [guest, moveTo(nodes[1], guest)]
    const verdicts: string[] = []
    for (let made = 0; made < 10; made += 1) {
      verdicts.push(await attempt(guestAt(guests, made), 'u1@x.test'))
    }
    expect(verdicts).toEqual([...times(5, FAILED), ...times(5, THROTTLED)])
  })

  it.each(steps)('$name check five codes together, and enable once', async (step) => {
    const { nodes, factor } = await startStep(step)
    const [first, second] = nodes
    const duo = await owingCode(first)
    const guests = [duo, moveTo(second, duo)]
    const verdicts: string[] = []
    for (let made = 0; made < 7; made += 1) {
      verdicts.push(verdict(await sendCode(guestAt(guests, made), '000000')))
    }
    expect(verdicts.slice(0, 4)).toEqual(times(4, WRONG_CODE))
    expect(verdicts.slice(5)).toEqual(times(2, EXPIRED))
    expect(factor.calls.verify).toBe(5)

    const una = await loggedIn(first)
    await setUp(una)
    factor.barrier('verifySetup', 2)
    const answers = await Promise.all([confirm(una.copy()), confirm(moveTo(second, una))])
    expect(tally(answers.map(verdict))).toEqual({ ok: 1, [ALREADY_ENABLED]: 1 })
    expect(factor.calls.enable).toBe(1)
  })
})

function guestAt(guests: readonly Browser[], made: number): Browser {
  return guests[made % guests.length] ?? expect.fail('no guest')
}

describe('The key of the counts', () => {
  const DAY = 24 * 60 * 60
  const FEW = {
    'login.failed.account': { max: 1, window_seconds: DAY },
    'login.failed': { max: 100, window_seconds: 60 },
  }

  it('keeps counts and known places through a whole rotation', async () => {
    const stores = memoryStores()
    const { start } = nodesOf(FEW)
    const home = await visitor(await start(stores, [OLD_KEY]))
    expect(await attempt(home, 'u1@x.test', PASSWORD)).toBe('ok')
    for (const keys of [[NEW_KEY, OLD_KEY], [NEW_KEY]]) await start(stores, keys)
    const last = await start(stores, [NEW_KEY])
    expect(await attempt(await visitor(last), 'u1@x.test')).toBe(FAILED)
    expect(await attempt(await visitor(last), 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    const neighbour = await visitor(last, { address: home.address })
    expect(await attempt(neighbour, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('is the one that nodes of an earlier version use, which kept none', async () => {
    const stores = memoryStores()
    const { start } = nodesOf(FEW)
    const { metadata = [], ...withoutMetadata } = stores
    // It registers its key, and counts as the earlier version did.
    await start(stores, [OLD_KEY])
    const earlier = await start(withoutMetadata, [OLD_KEY])
    const entryOf = (name: string) => (name === 'app.keys' ? name : `new.${name}`)
    const renamed = metadata.map((store) => ({
      read: (name: string) => store.read(entryOf(name)),
      compareAndSet: (name: string, from: string | null, to: string) =>
        store.compareAndSet(entryOf(name), from, to),
    }))
    const later = await start({ ...stores, metadata: renamed }, [NEW_KEY, OLD_KEY])
    expect(await attempt(await visitor(earlier), 'u1@x.test')).toBe(FAILED)
    expect(await attempt(await visitor(later), 'u1@x.test')).toBe(THROTTLED)
  })

  it('is replaced together with a key that was lost', async () => {
    const stores = memoryStores()
    const { start } = nodesOf(FEW)
    const first = await start(stores, [OLD_KEY])
    expect(await attempt(await visitor(first), 'u1@x.test')).toBe(FAILED)
    await replaceKeys(stores, [NEW_KEY])
    const second = await start(stores, [NEW_KEY])
    expect(await attempt(await visitor(second), 'u1@x.test')).toBe(FAILED)
    expect(await attempt(await visitor(second), 'u1@x.test')).toBe(THROTTLED)
  })

  it('is not kept in a form that the stores alone can read', async () => {
    const watched = watchedStores()
    const stores = memoryStores()
    const kept: string[] = []
    const metadata = (stores.metadata ?? []).map((store) => ({
      read: (name: string) => store.read(name),
      compareAndSet(name: string, from: string | null, to: string) {
        kept.push(to)
        return store.compareAndSet(name, from, to)
      },
    }))
    const { start } = nodesOf()
    const service = await start({ ...watched, metadata }, [OLD_KEY])
    await attempt(await visitor(service), 'u1@x.test')
    const keys = watched.calls.map(({ args: [key] }) => String(key))
    expect(keys.length).toBeGreaterThan(0)
    expect(kept).toHaveLength(2)
    for (const text of kept) expect(text).toMatch(/^[\w-]{43}(?:\.[\w-]{90,110})?$/)
  })

  it('refuses a node that cannot open it', async () => {
    const stores = memoryStores()
    const { start } = nodesOf()
    await start(stores, [OLD_KEY])
    const [metadata] = stores.metadata ?? []
    const kept = await metadata?.read('app.keys')
    await start(stores, [NEW_KEY, OLD_KEY])
    await metadata?.compareAndSet('app.keys', (await metadata.read('app.keys')) ?? null, kept ?? '')
    await expect(start(stores, [NEW_KEY])).rejects.toThrow(/app\.keys/)
  })
})
