import { randomUUID } from 'node:crypto'
import type { Notification } from '@svc/auth'
import { sqliteStores } from '@svc/auth/sqlite'
import type { FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../support/browser.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { attempt, UNRATIONED, visitor, loggedIn } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { openHandle } from '../support/sqlite.ts'
import { startService, type TestService } from '../support/service.ts'
import { times, UNAVAILABLE, verdict, GUEST } from '../support/verdicts.ts'

const BELL = '/svc/api/notifications'
const owner = { tenant: null, userId: 'u1' }

/** A body long enough that a page takes one entry. */
const long: Notification<FakeUser> = {
  type: 'long',
  via: () => ['database'],
  toDatabase: () => ({ title: 'Long', body: 'x'.repeat(3000), url: null }),
}

describe('A SQLite database that is full', () => {
  it('refuses writes with 503, still reads, stores nothing partially, and works again when there is space', async () => {
    const handle = openHandle(temporaryDatabase())
    const service = await startService({
      stores: sqliteStores(() => handle),
      config: { limits: UNRATIONED },
    })
    const una = await loggedIn(service)
    await ring(service)
    // It takes no number that is below what is there.
    handle.exec('PRAGMA max_page_count = 1')

    await expect(ringUntilFull(service)).rejects.toMatchObject({
      name: 'StoreError',
      cause: { message: 'database or disk is full' },
    })
    expect(await lastVerdict(async () => refusedLogin(service))).toBe(UNAVAILABLE)
    const browsers: Browser[] = []
    const logIn = async () => {
      const browser = await visitor(service)
      browsers.push(browser)
      return attempt(browser, 'u2@x.test', PASSWORD)
    }
    expect(await lastVerdict(logIn)).toBe(UNAVAILABLE)
    const seen = await Promise.all(
      browsers.map(async (browser) => verdict(await browser.get(USER))),
    )
    expect(seen).toEqual([...times(browsers.length - 1, 'ok'), GUEST])

    expect((await una.get(USER)).json.id).toBe('u1')
    const { data, unread_count: count } = (await una.get(BELL)).json
    const stored = await service.stores.notifications.latest(owner, 10_000)
    expect([data.length, count]).toEqual([Math.min(20, stored.length), stored.length])
    expect(handle.prepare('PRAGMA integrity_check').all()).toMatchObject([
      { integrity_check: 'ok' },
    ])
    expect(() => handle.exec('BEGIN; ROLLBACK')).not.toThrow()

    handle.exec('PRAGMA max_page_count = 100000')
    expect(await logIn()).toBe('ok')
    await ring(service)
    expect((await una.get(BELL)).json.unread_count).toBe(count + 1)
  })
})

async function ring({ auth, users }: TestService): Promise<void> {
  const una = await users.findById('u1', null)
  if (una !== null) await auth.notify(una, long)
}

/** There is room in pages that are there already, for a while. */
const ENOUGH = 500

async function ringUntilFull(service: TestService): Promise<void> {
  for (let rung = 0; rung < ENOUGH; rung += 1) await ring(service)
}

/** Tries until it is unavailable. */
async function lastVerdict(again: () => Promise<string>): Promise<string> {
  for (let made = 1; made < ENOUGH; made += 1) {
    const verdict = await again()
    if (verdict === UNAVAILABLE) return verdict
  }
  return again()
}

/** A wrong password, from somewhere else and for somebody else each time. */
async function refusedLogin(service: TestService): Promise<string> {
  return attempt(await visitor(service), `${randomUUID()}@x.test`)
}
