import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { postgresStores } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import { fakeClock } from '@svc/auth/testing'
import { closedAfterTest, endedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { reset, startPasswords, tokenFor } from '../support/passwords.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { svcHere } from '../support/svc-here.ts'
import { verdict } from '../support/verdicts.ts'
import { record } from '../stores/records.ts'
import { configOf } from './command.ts'

const COMMAND = ['--config', configOf('person-host.mjs'), 'session', 'revoke-everyone', '--yes']
/** That of the service of tests. */
const KEY = 'test-key-test-key-test-key-0123456789'

async function revokeEveryone(KIND: 'sqlite' | 'postgres', PLACE: string): Promise<string> {
  const { code, stdout } = await svcHere(COMMAND, {
    env: { APP_KEY: KEY, USERS: '[]', KIND, PLACE },
  })
  expect(code).toBe(0)
  return stdout
}

describe('svc session revoke-everyone', { timeout: 60_000 }, () => {
  it('leaves no link to a password that was sent before, used or not', async () => {
    const file = temporaryDatabase()
    const clock = fakeClock(Date.now())
    const service = await startPasswords({ stores: sqliteStores(file), clock })
    const before = await tokenFor(service)
    await revokeEveryone('sqlite', file)
    expect(verdict(await reset(service, before))).toBe('422 password_link_invalid')
    // The command has the time of the machine.
    clock.advance({ seconds: 60 })
    expect(verdict(await reset(service, await tokenFor(service)))).toBe('ok')
  })

  it('ends a session that a request holds locked at that moment', async () => {
    const url = await emptyPostgres()
    const stores = closedAfterTest(await postgresStores(url))
    const at = Date.now()
    const times = { createdAt: at, lastSeenAt: at, expiresAt: at + 3_600_000 }
    for (const key of ['held', 'other']) await stores.sessions.create(key, { ...record, ...times })
    const request = endedAfterTest(new pg.Client(url))
    await request.connect()
    await request.query('BEGIN')
    await request.query(`SELECT FROM svc_sessions WHERE key = 'held' FOR UPDATE`)
    const revoking = revokeEveryone('postgres', url)
    const keys = async () => (await admin(url, 'SELECT key FROM svc_sessions')).flat()
    await expect.poll(keys, { timeout: 30_000 }).toEqual(['held'])
    await request.query('COMMIT')
    expect(await revoking).toContain('2 sessions')
    expect(await keys()).toEqual([])
  })
})
