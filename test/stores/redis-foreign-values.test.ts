import { describe, expect, it } from 'vitest'
import type { Redis } from 'ioredis'
import type { Stores } from '@svc/auth'
import { loggedIn } from '../support/logins.ts'
import { LOGOUT, USER } from '../support/paths.ts'
import { freshPrefix } from '../support/redis.ts'
import { startService } from '../support/service.ts'
import { GUEST, verdict } from '../support/verdicts.ts'
import { adminOf, HOUR, login, MINUTE, NOW, open, range, record } from './redis-stores.ts'

type Kind = 'session' | 'pending' | 'attempt'

interface Opened {
  readonly stores: Stores
  /** Lets another program write the key of the expiries of one kind, in every shard. */
  readonly occupy: (kind: Kind) => Promise<void>
  /** Deletes those keys. */
  readonly free: (kind: Kind) => Promise<void>
}

function opened(): Opened {
  const prefix = freshPrefix()
  const redis = adminOf()
  const onEach = async (kind: Kind, act: (redis: Redis, key: string) => Promise<unknown>) => {
    const keys = range(0, 63).map((shard) => `${prefix}{${shard}}:${kind}-ends`)
    await Promise.all(keys.map(async (key) => act(redis, key)))
  }
  return {
    stores: open(prefix),
    occupy: async (kind) => onEach(kind, async (client, key) => client.set(key, 'text')),
    free: async (kind) => onEach(kind, async (client, key) => client.del(key)),
  }
}

describe('the expiries of Redis that another program has written', () => {
  it.each(['session', 'pending', 'attempt'] as const)(
    'fail the check, which names the keys: %s',
    async (kind) => {
      const { stores, occupy, free } = opened()
      await stores.check()
      await occupy(kind)
      const named = new RegExp(`delete that of .*\\{\\d+\\}:${kind}-ends`)
      await expect(stores.check()).rejects.toThrow(named)
      await free(kind)
      await stores.check()
    },
  )

  it('let no attempt be counted that was refused', async () => {
    const { stores, occupy, free } = opened()
    await occupy('attempt')
    await expect(stores.attempts.reserve('key', MINUTE, NOW)).rejects.toThrow('Redis failed')
    await expect(stores.attempts.reserve('key', MINUTE, NOW)).rejects.toThrow('Redis failed')
    await free('attempt')
    expect(await stores.attempts.reserve('key', MINUTE, NOW)).toMatchObject({ number: 1 })
  })

  it('let no record exist whose creation was refused', async () => {
    const { stores, occupy } = opened()
    await occupy('session')
    await occupy('pending')
    await expect(stores.sessions.create('key', record)).rejects.toThrow('Redis failed')
    await expect(stores.pendingLogins.create('key', login)).rejects.toThrow('Redis failed')
    expect(await stores.sessions.read('key', NOW)).toBeNull()
    expect(await stores.pendingLogins.read('key', NOW)).toBeNull()
  })

  it('keep no session and no pending login from being ended', async () => {
    const { sessions, pendingLogins, ...more } = endable()
    for (const key of ['one', 'two', 'three']) await sessions.create(key, record)
    for (const key of ['one', 'two']) await pendingLogins.create(key, login)
    await more.occupy('session')
    await more.occupy('pending')
    expect(await sessions.destroy('one')).toBe(true)
    expect(await sessions.destroyOthers(record, 'three')).toBe(1)
    expect(await sessions.read('two', NOW)).toBeNull()
    expect(await pendingLogins.consume('one', NOW)).toBe(true)
    expect(await pendingLogins.destroyOf(login)).toBe(1)
  })

  it('leave a session as it was when it cannot be extended', async () => {
    const { sessions, occupy } = endable()
    await sessions.create('key', record)
    await occupy('session')
    const later = { lastSeenAt: NOW + MINUTE, expiresAt: NOW + HOUR + MINUTE }
    await expect(sessions.touch('key', later)).rejects.toThrow('Redis failed')
    expect(await sessions.read('key', NOW)).toEqual(record)
  })
})

it('a browser is a guest and can log out after another program has overwritten its session in Redis', async () => {
  const prefix = freshPrefix()
  const service = await startService({
    stores: open(prefix),
    impersonation: { allows: () => true },
  })
  const [una, other] = [await loggedIn(service), await loggedIn(service)]
  const redis = adminOf()
  const [key = ''] = await redis.keys(`${prefix}*:session:*`)
  await redis.set(key, 'text')
  const asked = [verdict(await una.get(USER)), verdict(await other.get(USER))]
  expect(asked.toSorted()).toEqual([GUEST, 'ok'])
  await service.auth.endSessions('u1')
  const ended = [verdict(await una.get(USER)), verdict(await other.get(USER))]
  expect(ended).toEqual([GUEST, GUEST])
  expect(verdict(await una.post(LOGOUT))).toBe('ok')
})

function endable() {
  const { stores, occupy } = opened()
  return { sessions: stores.sessions, pendingLogins: stores.pendingLogins, occupy }
}
