import { inspect } from 'node:util'
import { describe, expect, inject, it } from 'vitest'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { openRedisStores, type OpenRedisOptions } from '@svc/auth/redis'
import { readRedisAddress } from '../../build/src/stores/redis/address.js'
import { closedAfterTest } from '../support/after-test.ts'
import { freshPrefix, redisOfTest } from '../support/redis.ts'
import { standIn } from '../support/stand-in.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { answersWithin } from '../support/time.ts'
import { adminOf } from './redis-stores.ts'

async function open(url: string, options: OpenRedisOptions = {}): Promise<Stores> {
  return closedAfterTest(
    await openRedisStores(url, memoryStores(), { prefix: freshPrefix(), ...options }),
  )
}

async function failureOf(stores: Stores): Promise<unknown> {
  try {
    return await stores.check()
  } catch (error) {
    return error
  }
}

describe('the URL of Redis', () => {
  it.each(['redis://:password@localhost:6379', 'rediss://ada:p%2Fw@redis.internal/2'])(
    '%s is one server',
    (url) => expect(readRedisAddress(url)).toEqual({ kind: 'server', url }),
  )

  it('names Sentinels separated by commas, and their master at the end', () => {
    const url =
      'redis+sentinel://ada:p%2Fw@one.test,[::1]:5000,three.test:26381/panel?sentinel_password=s%26'
    expect(readRedisAddress(url)).toEqual({
      kind: 'sentinel',
      options: {
        username: 'ada',
        password: 'p/w',
        sentinels: [
          { host: 'one.test', port: 26_379 },
          { host: '::1', port: 5000 },
          { host: 'three.test', port: 26_381 },
        ],
        name: 'panel',
        sentinelPassword: 's&',
        enableTLSForSentinelMode: false,
      },
    })
  })

  it('names nodes of a Cluster separated by commas', () => {
    expect(readRedisAddress('redis+cluster://:secret@one.test:7000,two.test')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'one.test', port: 7000 },
        { host: 'two.test', port: 6379 },
      ],
      options: { password: 'secret' },
    })
  })

  it('is reached over TLS with rediss, the Sentinels too', () => {
    expect(readRedisAddress('rediss+sentinel://one.test/panel')).toMatchObject({
      options: { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    })
    expect(readRedisAddress('rediss+cluster://one.test')).toMatchObject({ options: { tls: {} } })
  })

  it.each([
    ['redis+sentinel://MARKER@one.test', 'the name of the master'],
    ['redis://:MARKER@one.test,two.test', 'takes redis://host'],
    ['redis+other://:MARKER@one.test', 'takes redis://host'],
    ['http://:MARKER@one.test', 'takes redis://host'],
    ['redis+cluster://:MARKER@one.test:port', 'takes redis://host'],
    ['MARKER', 'takes redis://host'],
  ])('%s is refused with the possible forms, and without its value', async (url, message) => {
    await expect(open(url)).rejects.toThrow(message)
    await expect(open(url)).rejects.not.toThrow('MARKER')
  })
})

describe('stores by a URL', () => {
  it('are those of a Cluster, too', async () => {
    const [first = '', ...others] = inject('redisClusterUrls')
    const hosts = others.map((url) => new URL(url).host)
    const url = [first.replace(/^redis:/, 'redis+cluster:'), ...hosts].join(',')
    await (await open(url)).check()
  })

  it('log an outage of Redis, its end, and that Redis was restarted, once each', async () => {
    const log: string[] = []
    const redis = await redisOfTest()
    const stores = await open(redis.url, { log: (line) => log.push(line) })
    await redis.stop()
    await expect.poll(() => log).toHaveLength(1)
    await expect(stores.check()).rejects.toThrow('Redis')
    await redisOfTest({ port: redis.port, options: {} })
    await expect.poll(() => log, { timeout: 5000 }).toHaveLength(3)
    expect(log).toEqual([
      expect.stringMatching(/^The connection to Redis broke: .*ECONNREFUSED/),
      'Redis answers again.',
      expect.stringMatching(/^Redis was restarted, or another server took over: .* runbook\.$/),
    ])
  })

  it('do not wait for a hanging Redis at the start', async () => {
    const redis = await redisOfTest()
    const between = await standIn(redis.url)
    between.hang()
    const said =
      'does not answer within 2 seconds; start it, wait until it has loaded its data, or correct the address'
    await answersWithin(2000, async () => expect(open(between.url)).rejects.toThrow(said))
  })

  it('say at the start what is to be done', async () => {
    await expect(open('redis://127.0.0.1:1')).rejects.toThrow(
      /^stores: openRedisStores: 127.0.0.1:1 refuses connections; start the server or correct/,
    )
    const redis = await redisOfTest()
    const wrong = redis.url.replace(/^redis:\/\/(?:[^@]*@)?/, 'redis://:MARKER@')
    await expect(open(wrong)).rejects.toThrow('correct the user or the password of the address')
    const error: unknown = await open(wrong).catch((thrown: unknown) => thrown)
    // As Node prints an error that nobody catches.
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('MARKER')
    await expect(open(`${redis.url}/99`)).rejects.toThrow('no database of this number')
  })

  it.each(['sentinel', 'cluster'])(
    'say at the start what is to be done where no server of a %s is there',
    async (kind) => {
      await expect(open(`redis+${kind}://127.0.0.1:1/panel`)).rejects.toThrow(
        /refuses the connection .*start it, correct the address/,
      )
    },
  )

  it('say at the start that the server is not a Cluster', async () => {
    const url = inject('redisUrl').replace('redis:', 'redis+cluster:')
    await expect(open(url)).rejects.toThrow('write redis or redis+sentinel')
  })

  it('keep the password of a Cluster that refuses it out of their errors', async () => {
    const redis = await redisOfTest({ options: { '--cluster-enabled': 'yes' } })
    const { host } = new URL(redis.url)
    const error: unknown = await open(`redis+cluster://:MARKER@${host}`).catch(
      (thrown: unknown) => thrown,
    )
    expect(inspect(error, { depth: null, showHidden: true })).toContain('openRedisStores')
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('MARKER')
  })

  it('say during an outage why they cannot connect, without the password', async () => {
    const redis = await redisOfTest()
    const stores = await open(redis.url, { log: () => undefined })
    const admin = adminOf(redis.url)
    await admin.config('SET', 'requirepass', 'another')
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal')
    const failure = async () => inspect(await failureOf(stores), { depth: 9 })
    await expect.poll(failure).toContain('WRONGPASS')
    for (let times = 0; times < 20; times += 1) {
      expect(await failure()).toContain('WRONGPASS')
      expect(await failure()).not.toContain(new URL(redis.url).password)
    }
  })

  it('say at the start that Redis takes no further connection', async () => {
    const redis = await redisOfTest({ options: { '--maxclients': 1 } })
    await open(redis.url)
    await expect(open(redis.url)).rejects.toThrow('raise maxclients')
  })

  it('leave no connection open after close', async () => {
    const redis = await redisOfTest()
    const between = await tcpProxy(redis.url)
    const stores = await openRedisStores(between.url, memoryStores())
    await stores.check()
    expect(between.open()).toBeGreaterThan(1)
    await stores.close()
    await expect.poll(() => between.open()).toBe(0)
  })

  it('leave no connection open when an option is refused', async () => {
    const redis = await redisOfTest()
    const between = await tcpProxy(redis.url)
    await expect(open(between.url, { prefix: '{panel}' })).rejects.toThrow('prefix')
    await expect.poll(() => between.open()).toBe(0)
  })
})
