import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/browser.ts'
import { loggedInAt } from '../../support/logins.ts'
import { BELL, UNREAD_COUNT, READ_ALL } from '../../support/paths.ts'
import {
  identifyTenant,
  passwordHash,
  payloadsOf,
  startService,
  svc,
} from '../../support/service.ts'
import { bell, userOf, withBells, titlesIn, idsIn } from '../../support/bell.ts'
import { verdict } from '../../support/verdicts.ts'

describe('Notifications: the gates', () => {
  it('keep tenants apart whose users have the same id', async () => {
    const config = { svc: { ...svc, middleware: [identifyTenant] } }
    const service = await startService({ config })
    const lists: Answer[] = []
    for (const tenant of ['a', 'b']) {
      service.users.add({ id: 't', email: 't@x.test', passwordHash, tenant })
      const user = await userOf(service, 't', tenant)
      await service.auth.notify(user, bell({ title: `of ${tenant}` }), { tenant })
    }
    for (const tenant of ['a', 'b']) {
      const headers = { 'x-tenant': tenant }
      const browser = await loggedInAt(service, tenant, 't@x.test')
      const other = idsIn(lists[0] ?? EMPTY)[0] ?? randomUUID()
      expect((await browser.post(`${BELL}/${other}/read`, undefined, { headers })).status).toBe(404)
      lists.push(await browser.get(BELL, { headers }))
      if (tenant === 'a') await browser.post(READ_ALL, undefined, { headers })
    }
    expect(lists.map(titlesIn)).toEqual([['of a'], ['of b']])
    expect(lists.map(({ json }) => json.unread_count)).toEqual([1, 1])
    const sent = ['a', 'b'].map((tenant) => ({ userId: 't', tenant, type: 'note' }))
    expect(payloadsOf(service, 'notification.sent')).toEqual(sent)
  })
})

const EMPTY: Answer = { status: 0, headers: {}, text: '', json: { data: [] } }

describe('Notifications: sessions', () => {
  it('are not kept alive by the bell', async () => {
    const { una, clock } = await withBells(1, 0)
    for (let minute = 0; minute < 120; minute += 20) {
      expect((await una.get(BELL)).status).toBe(200)
      expect((await una.get(UNREAD_COUNT)).status).toBe(200)
      clock.advance({ minutes: 20 })
    }
    expect(verdict(await una.get(UNREAD_COUNT))).toBe('401 unauthenticated')
  })

  it('are kept alive by marking', async () => {
    const { una, clock } = await withBells(1, 0)
    clock.advance({ minutes: 119 })
    expect((await una.post(READ_ALL)).status).toBe(200)
    clock.advance({ minutes: 119 })
    expect((await una.get(UNREAD_COUNT)).status).toBe(200)
  })
})
