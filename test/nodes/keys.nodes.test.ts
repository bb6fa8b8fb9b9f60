import { replaceKeys, type Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import { describe, expect, it } from 'vitest'
import { someStoresOfTwoNodes, storesOfTwoNodes } from '../support/databases.ts'
import { loggedIn } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { freshPrefix, ioRedis, ofTest } from '../support/redis.ts'
import { moveTo, owingCode } from '../support/second-factor.ts'
import { startService, type TestService } from '../support/service.ts'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { UNAVAILABLE, verdict, GUEST } from '../support/verdicts.ts'
import { NEW_KEY, OLD_KEY } from '../support/keys.ts'

const APP_URL = 'http://panel.test'

const start = async (stores: Stores, ...keys: string[]): Promise<TestService> =>
  startService({
    stores,
    appUrl: APP_URL,
    twoFactor: fakeTwoFactor<FakeUser>({ enabled: ['u2'] }),
    config: { app: { url: APP_URL, keys } },
  })

const isReady = async (stores: Stores, ...keys: string[]): Promise<boolean> => {
  const { auth } = await start(stores, ...keys)
  return auth.ready().then(
    () => true,
    (error: Error) => {
      expect(error.name).toBe('ConfigError')
      return false
    },
  )
}

describe.each(Object.entries(storesOfTwoNodes))('A node with another key, on %s', (_, open) => {
  it('answers only 503, ends no session, and logs the remedy', async () => {
    const [one, other] = await open()
    const right = await start(one, OLD_KEY)
    const una = await loggedIn(right)
    const wrong = await start(other, NEW_KEY)
    for (const path of [USER, '/svc/api/csrf-cookie']) {
      expect(verdict(await moveTo(wrong, una).get(path))).toBe(UNAVAILABLE)
    }
    expect((await wrong.browser().get('/api/people')).status).toBe(503)
    expect(await wrong.auth.health()).toEqual({ healthy: false })
    await expect(wrong.auth.ready()).rejects.toThrow(/app\.keys.*keep the old one.*replaceKeys/)
    expect(JSON.stringify(wrong.log.map(({ fields }) => String(Object.values(fields)[0])))).toMatch(
      'app.keys',
    )
    expect((await una.get(USER)).json.id).toBe('u1')
    expect(await right.auth.health()).toEqual({ healthy: true })
  })

  it('all of 8 nodes that start at once with two keys share the key of the first', async () => {
    const [one, other] = await open()
    const starts = Array.from({ length: 8 }, async (_node, at) =>
      isReady(at < 4 ? one : other, at % 2 === 0 ? OLD_KEY : NEW_KEY),
    )
    const ready = await Promise.all(starts)
    expect(ready.filter(Boolean)).toHaveLength(4)
    expect(new Set(ready.map((is, at) => is === (at % 2 === 0))).size).toBe(1)
  })

  it('is accepted after the lost key was replaced, which ends every session and pending login', async () => {
    const [one, other] = await open()
    const before = await start(one, OLD_KEY)
    const [una, duo] = [await loggedIn(before), await owingCode(before)]
    expect(await replaceKeys(other, [NEW_KEY])).toBe(2)
    const after = await start(other, NEW_KEY)
    await after.auth.ready()
    for (const browser of [una, duo]) {
      const answer = await moveTo(after, browser).get(USER)
      expect(verdict(answer)).toBe(GUEST)
      expect(answer.json.two_factor).toBeUndefined()
    }
    expect(await isReady(one, OLD_KEY)).toBe(false)
    expect((await (await loggedIn(after)).get(USER)).json.id).toBe('u1')
  })
})

describe.each(Object.entries(someStoresOfTwoNodes))('A node with another key, on %s', (_, open) => {
  it.each([
    [
      'one after the other',
      [[OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY], [NEW_KEY]],
    ],
    [
      'an old node restarts in between',
      [[OLD_KEY], [NEW_KEY, OLD_KEY], [OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY]],
    ],
    [
      'the last of the old returns',
      [[OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY], [NEW_KEY]],
    ],
    [
      'the new key behind the old',
      [[OLD_KEY], [OLD_KEY, NEW_KEY], [OLD_KEY], [NEW_KEY, OLD_KEY], [OLD_KEY, NEW_KEY], [NEW_KEY]],
    ],
  ])('is accepted while a key is rotated: %s', async (_name, starts) => {
    const nodes = await open()
    for (const [at, keys] of starts.entries()) {
      expect(await isReady(nodes[at % 2] ?? nodes[0], ...keys), keys.join()).toBe(true)
    }
    expect(await isReady(nodes[0], OLD_KEY)).toBe(false)
    expect(await isReady(nodes[1], NEW_KEY)).toBe(true)
  })
})

describe('The fingerprints of keys', () => {
  it('do not reveal the key', async () => {
    const stores = memoryStores()
    expect(await isReady(stores, OLD_KEY)).toBe(true)
    const kept = await stores.metadata?.[0]?.read('app.keys')
    expect(kept).toMatch(/^[\w-]{43}$/)
    expect(Buffer.from(String(kept), 'base64url').toString('latin1')).not.toContain('old-key')
  })

  it('are kept in the database beside Redis, so that several services can share one Redis', async () => {
    const prefix = freshPrefix()
    const service = (): Stores =>
      redisStores(ofTest(ioRedis()), { ...memoryStores(), persistent: true }, { prefix })
    expect(await isReady(service(), OLD_KEY)).toBe(true)
    expect(await isReady(service(), NEW_KEY)).toBe(true)
  })

  it('are kept in Redis when nothing beside it survives a restart', async () => {
    const prefix = freshPrefix()
    const service = (): Stores => redisStores(ofTest(ioRedis()), memoryStores(), { prefix })
    expect(await isReady(service(), OLD_KEY)).toBe(true)
    expect(await isReady(service(), NEW_KEY)).toBe(false)
  })
})
