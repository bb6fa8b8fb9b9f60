import { describe, expect, it } from 'vitest'
import { readSettings } from '../../build/panel/environment.js'
import { locationOf } from '../../build/panel/server-url.js'
import { temporaryFolder } from '../support/panel.ts'

const KEY = 'a key of the tests of 32 characters or more'

describe('REDIS_URL', () => {
  it.each(['redis+sentinel://one.test:1,two.test:2/panel', 'redis+cluster://one.test,two.test'])(
    '%s is accepted',
    (REDIS_URL) =>
      expect(readSettings({ REDIS_URL, SVC_DATA: temporaryFolder() }).redisUrl).toBe(REDIS_URL),
  )

  it.each([
    'redis://one.test,two.test',
    'redis+cluster://one.test,two.test:port',
    'redis+sentinel://one.test,/panel',
    'redis://x:y@',
  ])('%s is refused', (REDIS_URL) =>
    expect(() => readSettings({ REDIS_URL, SVC_DATA: temporaryFolder() })).toThrow(
      'REDIS_URL is not an address like redis://',
    ),
  )
})

describe('DATABASE_URL', () => {
  it.each([
    'postgres://x:y@db.test/panel',
    'postgres:///panel',
    'postgres://x:y@/panel?host=/var/run/postgresql',
  ])('%s is accepted', (DATABASE_URL) =>
    expect(readSettings({ DATABASE_URL, APP_KEY: KEY }).databaseUrl).toBe(DATABASE_URL),
  )

  it.each(['postgres://x:y@', 'postgres://x:y@/panel', 'postgres://x@?ssl=1', ''])(
    '%s is refused',
    (DATABASE_URL) =>
      expect(() => readSettings({ DATABASE_URL, APP_KEY: KEY })).toThrow('DATABASE_URL is not an'),
  )
})

describe('a wrong setting of the panel is refused by its name', () => {
  it.each([
    ['APP_URL', 'panel.example.com'],
    ['APP_URL', ''],
    ['APP_URL', 'ftp://panel.example.com'],
    ['APP_KEY', ' , '],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'smtp://ada:secret@'],
  ])('%s=%s', (name, value) => {
    const settings = { SVC_DATA: temporaryFolder(), [name]: value }
    expect(() => readSettings(settings)).toThrow(new RegExp(`^${name} is `))
  })
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
