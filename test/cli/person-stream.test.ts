import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { fakeClock } from '@svc/auth/testing'
import { notify } from '../support/bell.ts'
import { openStream, unread } from '../support/bell-stream.ts'
import { loggedIn } from '../support/logins.ts'
import { temporaryFolder } from '../support/panel.ts'
import { USER } from '../support/paths.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { passwordHash, startService } from '../support/service.ts'
import { svc } from '../support/svc.ts'
import { configOf } from './command.ts'

const KEY = 'test-key-test-key-test-key-0123456789'
const EMAIL = 'u1@x.test'
const una = { id: 'u1', email: EMAIL, name: 'Una', passwordHash }

/** A stream reads the count again at its heartbeat in any case, after 25 seconds. */
const BEFORE_THE_HEARTBEAT_MS = 15_000

it('svc user erase tells a stream that was opened meanwhile that no entry is left', async () => {
  const url = await emptyPostgres()
  const database = await openPostgres(url)
  onTestFinished(async () => database.end())
  const stores = await postgresStores(database.pool)
  const service = await startService({ stores, clock: fakeClock(Date.now()) })
  await notify(service, 'An entry')
  const before = await loggedIn(service, EMAIL)

  const file = join(temporaryFolder(), 'go-on')
  const erased = svc(
    ['--config', configOf('person-host.mjs'), 'user', 'erase', '--id', 'u1', '--yes'],
    {
      env: {
        APP_KEY: KEY,
        USERS: JSON.stringify([una]),
        KIND: 'postgres',
        PLACE: url,
        WAIT_FOR: file,
      },
    },
  )
  await expect
    .poll(async () => (await before.get(USER)).status, { timeout: 20_000, interval: 20 })
    .toBe(401)
  const stream = await openStream(service.url, await loggedIn(service, EMAIL))
  expect(await stream.next()).toEqual(unread(1))
  writeFileSync(file, '')
  expect(await erased).toMatchObject({ code: 0 })
  await expect
    .poll(() => stream.told.at(-1), { timeout: BEFORE_THE_HEARTBEAT_MS })
    .toEqual(unread(0))
}, 60_000)
