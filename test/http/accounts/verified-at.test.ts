import { expect, it } from 'vitest'
import { startService } from '../../support/service.ts'

const SECONDS = 1_700_000_000
const TIME = '2023-11-14T22:13:20.000Z'

it.each([
  ['a flag', 1, null],
  ['a flag as text', '1', null],
  ['a flag that is a boolean', true, null],
  ['a number of seconds', SECONDS, TIME],
  ['a number of seconds as text', String(SECONDS), TIME],
  ['a number of milliseconds', SECONDS * 1000, TIME],
  ['a large number of milliseconds', BigInt(SECONDS) * 1000n, TIME],
  ['a number that is no time', 1e17, null],
  ['a time', new Date(TIME), TIME],
  ['a time of SQLite', '2023-11-14 22:13:20', TIME],
  ['a text in ISO 8601', '2023-11-14T23:13:20+01:00', TIME],
  ['another text', 'yes', null],
])(
  'GET /user names the time of a verification that is stored as %s',
  async (_kind, value, time) => {
    const { browser: open, users } = await startService()
    users.update('u1', { emailVerifiedAt: value as never })
    const browser = open()
    await browser.logIn('u1@x.test')
    expect((await browser.get('/svc/api/user')).json).toMatchObject({ email_verified_at: time })
  },
)
