import { describe, expect, it } from 'vitest'
import { readSettings } from '../../build/panel/environment.js'
import { locationOf } from '../../build/panel/server-url.js'
import { temporaryFolder } from '../support/panel.ts'

describe('REDIS_URL', () => {
  it.each(['redis+sentinel://one.test:1,two.test:2/panel', 'redis+cluster://one.test,two.test'])(
    '%s is accepted',
    (REDIS_URL) =>
      expect(readSettings({ REDIS_URL, SVC_DATA: temporaryFolder() }).redisUrl).toBe(REDIS_URL),
  )

  it.each(['redis://one.test,two.test', 'redis+cluster://one.test,two.test:port'])(
    '%s is refused',
    (REDIS_URL) =>
      expect(() => readSettings({ REDIS_URL, SVC_DATA: temporaryFolder() })).toThrow(
        'REDIS_URL is not an address like redis://',
      ),
  )
})

describe('the location of a server', () => {
  it.each([
    ['rediss://ada:p%2Fw@redis.internal', 'redis.internal'],
    ['redis://:secret@redis.internal:6379/', 'redis.internal:6379'],
    [
      'redis+sentinel://ada:p%2Fw@one.test,[::1]:5000/panel?sentinel_password=s%26',
      'one.test, [::1]:5000/panel',
    ],
    ['postgresql:///panel', 'this machine/panel'],
  ])('is told without credentials: %s as %s', (url, location) => {
    expect(locationOf(url)).toBe(location)
  })
})
