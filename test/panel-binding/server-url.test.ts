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
})

describe('DATABASE_URL', () => {
  it.each([
    'postgres://x:y@db.test/panel',
    'postgres:///panel',
    'postgres://x:y@/panel?host=/var/run/postgresql',
    'postgres://ada:p%2Fw@localhost/panel',
  ])('%s is accepted', (DATABASE_URL) =>
    expect(readSettings({ DATABASE_URL, APP_KEY: KEY }).databaseUrl).toBe(DATABASE_URL),
  )
})

describe('the address of a server', () => {
  it.each([
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'MARKER'],
    ['DATABASE_URL', 'mysql://ada:MARKER@localhost/panel'],
    ['DATABASE_URL', 'panel.sqlite?MARKER'],
    ['DATABASE_URL', 'postgres://ada:12/MARKER@localhost/panel'],
    ['DATABASE_URL', 'postgres://ada:MARKER#1@localhost/panel'],
    ['DATABASE_URL', 'postgres://x:y@'],
    ['DATABASE_URL', 'postgres://x:y@/panel'],
    ['DATABASE_URL', 'postgres://x@?ssl=1'],
    ['REDIS_URL', 'http://:MARKER@localhost'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis://:12?MARKER@localhost'],
    ['REDIS_URL', 'redis://one.test,two.test'],
    ['REDIS_URL', 'redis+cluster://one.test,two.test:port'],
    ['REDIS_URL', 'redis+sentinel://one.test,/panel'],
    ['REDIS_URL', 'redis://x:y@'],
  ])('is refused as %s=%j with the remedy, and without its value', (name, address) => {
    const read = () => readSettings({ [name]: address, SVC_DATA: temporaryFolder(), APP_KEY: KEY })
    const remedy = `${name} is not an address like ${name === 'REDIS_URL' ? 'redis' : 'postgres'}://`
    expect(read).toThrow(remedy)
    expect(read).toThrow(/correct it \(percent-encode .*\), or unset it to keep/)
    expect(read).not.toThrow('MARKER')
  })
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
