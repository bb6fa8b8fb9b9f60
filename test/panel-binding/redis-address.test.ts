import { describe, expect, it } from 'vitest'
import { locationOf } from '../../dist/panel/listen-address.js'
import { readRedisAddress } from '../../dist/panel/redis-address.js'
import { readSettings } from '../../dist/panel/environment.js'
import { temporaryFolder } from '../support/panel.ts'

describe('REDIS_URL', () => {
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
    expect(locationOf(url)).toBe('one.test, [::1]:5000, three.test:26381/panel')
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

  it('with rediss is reached over TLS, the Sentinels too', () => {
    expect(readRedisAddress('rediss+sentinel://one.test/panel')).toMatchObject({
      options: { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    })
    expect(readRedisAddress('rediss+cluster://one.test')).toMatchObject({ options: { tls: {} } })
  })

  it('of Sentinels without the name of a master is refused', () => {
    expect(() => readRedisAddress('redis+sentinel://one.test')).toThrow(/name of the master/)
  })

  it.each(['redis+sentinel://one.test:1,two.test:2/panel', 'redis+cluster://one.test,two.test'])(
    '%s is accepted',
    (REDIS_URL) =>
      expect(readSettings({ REDIS_URL, SVC_DATA: temporaryFolder() }).redisUrl).toBe(REDIS_URL),
  )

  it('with several hosts is refused for a single server', () => {
    const read = () =>
      readSettings({ REDIS_URL: 'redis://one.test,two.test', SVC_DATA: temporaryFolder() })
    expect(read).toThrow('REDIS_URL is not an address like redis://')
  })
})
