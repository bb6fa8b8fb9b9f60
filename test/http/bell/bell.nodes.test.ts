import { randomUUID } from 'node:crypto'
import { type Stores } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { loggedIn } from '../../support/logins.ts'
import { BELL, UNREAD_COUNT, READ_ALL } from '../../support/paths.ts'
import { startService, type TestService, payloadsOf } from '../../support/service.ts'
import { UNREAD, bell, userOf, withBells, notifyMany, titlesIn, idsIn } from '../../support/bell.ts'
import { withoutTime } from '../../support/time.ts'
import { verdict } from '../../support/verdicts.ts'

describe('Notifications: the list', () => {
  it('NE-1, NE-2, NE-3 returns the fields of an entry that the contract names', async () => {
    const service = await withBells(0, 0)
    await service.auth.notify(
      await userOf(service, 'u1'),
      bell({ title: 'Paid', body: 'Invoice 7', url: '/invoices/7' }, 'invoice.paid'),
    )
    await service.auth.notify(await userOf(service, 'u1'), bell({ title: 'Only a title' }))
    const { status, json } = await service.una.get(BELL)
    const entry = { id: expect.stringMatching(/^[\da-f-]{36}$/), ...UNREAD }
    const created_at = '2027-01-15T08:00:00.000Z'
    expect([status, json]).toEqual([
      200,
      {
        data: [
          {
            ...entry,
            type: 'note',
            data: { title: 'Only a title', body: null, url: null },
            created_at,
          },
          {
            ...entry,
            type: 'invoice.paid',
            data: { title: 'Paid', body: 'Invoice 7', url: '/invoices/7' },
            created_at,
          },
        ],
        unread_count: 2,
      },
    ])
    expect((await service.una.get(UNREAD_COUNT)).json).toEqual({ unread_count: 2 })
  })

  it('NE-8, NOT-01 returns only the entries of the user', async () => {
    const { una, duo } = await withBells(3, 2)
    const [hers, his] = [await una.get(BELL), await duo.get(BELL)]
    expect([hers.json.unread_count, his.json.unread_count]).toEqual([3, 2])
    expect([idsIn(hers).length, idsIn(his).length]).toEqual([3, 2])
    expect(idsIn(hers).filter((id) => idsIn(his).includes(id))).toEqual([])
  })

  it('NE-5, NE-6, LI-7, NOT-05, NOT-16 returns the 20 latest in the order of sending, and counts all unread entries', async () => {
    const service = await withBells(5, 0)
    await service.una.post(READ_ALL)
    await notifyMany(service, 'u1', 25)
    const latest = Array.from({ length: 20 }, (_, at) => String(25 - at))
    const list = await service.una.get(BELL)
    expect(titlesIn(list)).toEqual(latest)
    expect(list.json.unread_count).toBe(25)
    for (let time = 0; time < 4; time += 1)
      expect(idsIn(await service.una.get(BELL))).toEqual(idsIn(list))
    const one = await service.una.post(`${BELL}/${idsIn(list)[7]}/read`)
    expect(one.json).toEqual({ unread_count: 24 })
  })

  it('NOT-15 cannot be widened by parameters', async () => {
    const { una } = await withBells(25, 2)
    const plain = await una.get(BELL)
    for (const query of [
      'limit=10000&offset=-1',
      'user_id=u2&notifiable_id=u2&owner=u2',
      'page=0&per_page=1e9',
      'sort=password',
    ])
      expect((await una.get(`${BELL}?${query}`)).text).toBe(plain.text)
  })

  it('NOT-11 does not mark entries when it is requested', async () => {
    const { una } = await withBells(3, 0)
    for (let time = 0; time < 5; time += 1) {
      await una.get(BELL)
      await una.get(UNREAD_COUNT)
      const head = await una.send('HEAD', BELL)
      expect([head.status, head.text]).toEqual([200, ''])
    }
    const [first] = idsIn(await una.get(BELL))
    for (const path of [READ_ALL, `${BELL}/${first}/read`])
      for (const method of ['GET', 'HEAD', 'PUT'])
        expect((await una.send(method, path)).status).toBe(405)
    const { json } = await una.get(BELL)
    expect(json).toMatchObject({ unread_count: 3, data: [UNREAD, UNREAD, UNREAD] })
  })

  it('NOT-07 returns HTML unchanged, as text', async () => {
    const service = await withBells(0, 0)
    const data = {
      title: '<img src=x onerror=alert(1)>',
      body: '</script><script>alert(1)</script> &amp; {{7*7}}',
    }
    await service.auth.notify(await userOf(service, 'u1'), bell(data))
    const { headers, json } = await service.una.get(BELL)
    expect(json.data[0].data).toEqual({ ...data, url: null })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('NOT-08 returns no other keys than the documented ones', async () => {
    const service = await withBells(0, 0)
    const more = { secret: 's', internal_note: 'n', ['__proto__']: { polluted: true } }
    await service.auth.notify(await userOf(service, 'u1'), bell({ title: 't', ...more }))
    const stored = { id: randomUUID(), type: 't', title: 't', body: null, url: null, createdAt: 0 }
    const owner = { tenant: null, userId: 'u1' }
    await service.stores.notifications.add(owner, { ...stored, ...more })
    const { text, json } = await service.una.get(BELL)
    for (const { data, ...entry } of json.data) {
      expect(Object.keys(entry)).toEqual(['id', 'type', 'read_at', 'created_at'])
      expect(Object.keys(data)).toEqual(['title', 'body', 'url'])
    }
    expect(text).not.toMatch(/secret|internal_note|polluted|u1/)
  })
})

describe('Notifications: marking', () => {
  it('NE-7, NO-1 marks one, keeps the first instant, and returns the number of unread entries', async () => {
    const service = await withBells(2, 0)
    const [latest = '', first = ''] = idsIn(await service.una.get(BELL))
    const mark = async (id: string) => (await service.una.post(`${BELL}/${id}/read`)).json
    expect(await mark(first)).toEqual({ unread_count: 1 })
    service.clock.advance({ seconds: 10 })
    expect(await mark(first)).toEqual({ unread_count: 1 })
    expect((await service.una.post(READ_ALL)).json).toEqual({ unread_count: 0 })
    service.clock.advance({ seconds: 10 })
    expect((await service.una.post(READ_ALL)).json).toEqual({ unread_count: 0 })
    expect((await service.una.get(BELL)).json).toMatchObject({
      data: [
        { id: latest, read_at: '2027-01-15T08:00:10.000Z' },
        { id: first, read_at: '2027-01-15T08:00:00.000Z' },
      ],
      unread_count: 0,
    })
    const read = [first, first, null, null].map((id) => ({ userId: 'u1', tenant: null, id }))
    expect(payloadsOf(service, 'notification.read')).toEqual(read)
  })

  it('marks an entry that is not listed any more', async () => {
    const service = await withBells(1, 0)
    const [first] = idsIn(await service.una.get(BELL))
    await notifyMany(service, 'u1', 20)
    expect(titlesIn(await service.una.get(BELL))).toHaveLength(20)
    expect((await service.una.post(`${BELL}/${first}/read`)).json).toEqual({ unread_count: 20 })
    expect((await service.una.get(BELL)).json.unread_count).toBe(20)
  })

  it('NOT-02 answers 404 for the entry of another user, as for an unknown one', async () => {
    const service = await withBells(1, 1)
    const [his] = idsIn(await service.duo.get(BELL))
    const foreign = await service.una.post(`${BELL}/${his}/read`)
    const unknown = await service.una.post(`${BELL}/${randomUUID()}/read`)
    expect(verdict(foreign)).toBe('404 not_found')
    expect([unknown.status, unknown.text]).toEqual([foreign.status, foreign.text])
    expect({ ...unknown.headers, date: '' }).toEqual({ ...foreign.headers, date: '' })
    expect((await service.duo.get(BELL)).json).toMatchObject({ unread_count: 1, data: [UNREAD] })
    expect(payloadsOf(service, 'notification.read')).toEqual([])
  })

  it('NOT-03 answers 404 for malformed ids, and changes nothing', async () => {
    const { una } = await withBells(1, 0)
    const [id = ''] = idsIn(await una.get(BELL))
    for (const hostile of [
      `'%20OR%201=1--`,
      '%27%20OR%201=1',
      '../1',
      '%2e%2e%2f',
      '%00',
      '1;DROP',
      '*',
      'null',
      '[]',
      'x'.repeat(10_000),
      id.toUpperCase(),
      `{${id}}`,
      `%7B${id}%7D`,
      id.replaceAll('-', ''),
      `${id}%20`,
      `${id}/`,
    ]) {
      const answer = await una.post(`${BELL}/${hostile}/read`)
      expect([hostile, verdict(answer)]).toEqual([hostile, '404 not_found'])
    }
    expect((await una.get(BELL)).json).toMatchObject({ unread_count: 1, data: [UNREAD] })
  })

  it('NO-2, NOT-04 marks all entries of one user only', async () => {
    const { una, duo } = await withBells(3, 2)
    expect((await una.post(READ_ALL)).json).toEqual({ unread_count: 0 })
    expect((await una.get(BELL)).json.unread_count).toBe(0)
    expect((await duo.get(BELL)).json).toMatchObject({ unread_count: 2, data: [UNREAD, UNREAD] })
  })

  it('NOT-12 returns the correct count after many concurrent marks', async () => {
    const { una, clock } = await withBells(10, 0)
    const [id = ''] = idsIn(await una.get(BELL))
    await una.post(`${BELL}/${id}/read`)
    const firstReadAt = new Date(clock.now()).toISOString()
    clock.advance({ minutes: 1 })
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, async () => una.post(`${BELL}/${id}/read`)),
      ...Array.from({ length: 5 }, async () => una.post(READ_ALL)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(200))
    const counts = answers.map(({ json }) => json.unread_count)
    expect(counts.every((count) => count === 0 || count === 9)).toBe(true)
    const { json } = await una.get(BELL)
    expect(json.unread_count).toBe(0)
    expect(json.data[0]).toMatchObject({ id, read_at: firstReadAt })
  })

  it('OPS-17 loses no mark among 50 concurrent requests of one session', async () => {
    const { una } = await withBells(15, 0)
    const ids = idsIn(await una.get(BELL))
    const session = una.cookie('svc_session')
    const answers = await Promise.all([
      ...ids.map(async (id) => una.post(`${BELL}/${id}/read`)),
      ...Array.from({ length: 20 }, async () => una.get(BELL)),
      ...Array.from({ length: 15 }, async () => una.get('/svc/api/user')),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect((await una.get(UNREAD_COUNT)).json).toEqual({ unread_count: 0 })
    expect(una.cookie('svc_session')).toBe(session)
  })
})

describe('Notifications: the count under load', () => {
  it.each(Object.entries(storesOfTwoNodes))(
    'matches the entries after a hundred sends and dozens of marks on two nodes: %s',
    async (_, make) => {
      const shared = await make()
      const nodes = await Promise.all(shared.map(openNode))
      const failures: number[] = []
      async function sends(node: TestService): Promise<void> {
        for (let sent = 0; sent < 50; sent += 1) {
          await notifyMany(node, 'u1')
          // Lets the marks in between.
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      async function marks(browser: Browser, turn: number): Promise<void> {
        for (let round = 0; round < 7; round += 1) {
          const ids = idsIn(await browser.get(BELL))
          const id = ids[(round * 7 + turn) % Math.max(1, ids.length)] ?? randomUUID()
          const path = turn === 0 && round === 2 ? READ_ALL : `${BELL}/${id}/read`
          const { status, json } = await browser.post(path)
          if (status >= 500 || json.unread_count < 0) failures.push(status)
        }
      }
      const work = nodes.flatMap(({ node, una }) => [
        sends(node),
        ...[0, 1, 2, 3].map(async (turn) => marks(una, turn)),
      ])
      await Promise.all(work)
      expect(failures).toEqual([])
      const all = await shared[0].notifications.latest({ tenant: null, userId: 'u1' }, 1000)
      let unread = all.filter(({ readAt }) => readAt === null).length
      expect(all).toHaveLength(100)
      expect(unread).toBeGreaterThan(0)
      for (const { node, una } of nodes) {
        expect((await una.get(UNREAD_COUNT)).json).toEqual({ unread_count: unread })
        await notifyMany(node, 'u1')
        unread += 1
      }
    },
  )

  async function openNode(stores: Stores) {
    const node = await startService({ stores })
    return { node, una: await loggedIn(node, 'u1@x.test') }
  }
})

describe('Notifications: pruning', () => {
  it.each(Object.entries(storesOfTwoNodes))(
    'removes entries that are older than the configured days, and keeps the count correct: %s',
    async (_, make) => {
      const [stores] = await make()
      const service = await withBells(2, 1, { stores: withoutTime(stores) })
      service.clock.advance({ hours: 24 })
      await notifyMany(service, 'u1', 3)
      const una = await loggedIn(service, 'u1@x.test')
      const [latest] = idsIn(await una.get(BELL))
      await una.post(`${BELL}/${latest}/read`)
      expect(await service.auth.prune({ keepNotificationsDays: 1 })).toBeLessThan(10)
      expect((await una.get(BELL)).json).toMatchObject({ unread_count: 4 })
      service.clock.advance({ ms: 1 })
      await service.auth.prune()
      expect((await una.get(BELL)).json.unread_count).toBe(4)
      expect(await service.auth.prune({ keepNotificationsDays: 1 })).toBe(3)
      const list = await una.get(BELL)
      expect([titlesIn(list), list.json.unread_count]).toEqual([['3', '2', '1'], 2])
      const duo = await loggedIn(service, 'u2@x.test')
      expect((await duo.get(BELL)).json).toEqual({ data: [], unread_count: 0 })
    },
  )
})
