import { randomUUID } from 'node:crypto'
import {
  NotificationError,
  type BellData,
  type Middleware,
  type Notification,
  type NotificationChannel,
  type Stores,
} from '@svc/auth'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import type { Answer, Browser } from '../support/browser.ts'
import { storesOfTwoNodes, withoutTime } from '../support/databases.ts'
import { verdict } from '../support/logins.ts'
import { loggedIn } from '../support/mail.ts'
import { passwordHash, startService, type Changes, type TestService } from '../support/service.ts'

const BELL = '/svc/api/notifications'
const COUNT = `${BELL}/unread-count`
const READ_ALL = `${BELL}/read-all`
const UNREAD = { read_at: null }

/** A notification for the bell alone. */
const bell = (data: BellData, type = 'note'): Notification<FakeUser> => ({
  type,
  via: () => ['database'],
  toDatabase: () => data,
})

async function userOf({ users }: TestService, id: string, tenant: string | null = null) {
  const user = await users.findById(id, tenant)
  if (user === null) throw new Error(`there is no user ${id}`)
  return user
}

/** Sends so many to a user: "1", "2" and so on. */
async function notify(service: TestService, id: string, count = 1): Promise<void> {
  const user = await userOf(service, id)
  for (let sent = 1; sent <= count; sent += 1)
    await service.auth.notify(user, bell({ title: String(sent) }))
}

const titlesOf = ({ json }: Answer): readonly string[] =>
  json.data.map(({ data }: { data: BellData }) => data.title)

const idsOf = ({ json }: Answer): readonly string[] => json.data.map(({ id }: { id: string }) => id)

/** How often each event of the bell was told. */
const told = ({ events }: TestService, name: string): readonly object[] =>
  events.filter(({ event }) => event === name).map(({ payload }) => payload)

/** A service with U1 and U2 logged in, who have so many entries. */
async function withBells(hers: number, his: number, changes: Changes = {}) {
  const service = await startService(changes)
  await notify(service, 'u1', hers)
  await notify(service, 'u2', his)
  const una = await loggedIn(service, 'u1@x.test')
  const duo = await loggedIn(service, 'u2@x.test')
  return { ...service, una, duo }
}

describe('Notifications: the list', () => {
  it('shows of an entry what the contract says', async () => {
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
    expect((await service.una.get(COUNT)).json).toEqual({ unread_count: 2 })
  })

  it('NOT-01 shows everybody their own entries only', async () => {
    const { una, duo } = await withBells(3, 2)
    const [hers, his] = [await una.get(BELL), await duo.get(BELL)]
    expect([hers.json.unread_count, his.json.unread_count]).toEqual([3, 2])
    expect([idsOf(hers).length, idsOf(his).length]).toEqual([3, 2])
    expect(idsOf(hers).filter((id) => idsOf(his).includes(id))).toEqual([])
  })

  it('NOT-05, NOT-16 shows the 20 latest in the order of sending, and counts all that are unread', async () => {
    const service = await withBells(5, 0)
    await service.una.post(READ_ALL)
    await notify(service, 'u1', 25)
    const latest = Array.from({ length: 20 }, (_, at) => String(25 - at))
    const list = await service.una.get(BELL)
    expect(titlesOf(list)).toEqual(latest)
    expect(list.json.unread_count).toBe(25)
    for (let time = 0; time < 4; time += 1)
      expect(idsOf(await service.una.get(BELL))).toEqual(idsOf(list))
    const one = await service.una.post(`${BELL}/${idsOf(list)[7]}/read`)
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

  it('NOT-11 marks nothing by being read', async () => {
    const { una } = await withBells(3, 0)
    for (let time = 0; time < 5; time += 1) {
      await una.get(BELL)
      await una.get(COUNT)
      const head = await una.send('HEAD', BELL)
      expect([head.status, head.text]).toEqual([200, ''])
    }
    const [first] = idsOf(await una.get(BELL))
    for (const path of [READ_ALL, `${BELL}/${first}/read`])
      for (const method of ['GET', 'HEAD', 'PUT'])
        expect((await una.send(method, path)).status).toBe(405)
    const { json } = await una.get(BELL)
    expect(json).toMatchObject({ unread_count: 3, data: [UNREAD, UNREAD, UNREAD] })
  })

  it('NOT-07 takes HTML as text', async () => {
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

  it('NOT-08 shows no more than the documented keys', async () => {
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
  it('marks one, keeps the first instant, and says how many are left', async () => {
    const service = await withBells(2, 0)
    const [latest = '', first = ''] = idsOf(await service.una.get(BELL))
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
    expect(told(service, 'notification.read')).toEqual(read)
  })

  it('marks one that is not listed any more', async () => {
    const service = await withBells(1, 0)
    const [first] = idsOf(await service.una.get(BELL))
    await notify(service, 'u1', 20)
    expect(titlesOf(await service.una.get(BELL))).toHaveLength(20)
    expect((await service.una.post(`${BELL}/${first}/read`)).json).toEqual({ unread_count: 20 })
    expect((await service.una.get(BELL)).json.unread_count).toBe(20)
  })

  it('NOT-02 answers for the entry of another user as for one that does not exist', async () => {
    const service = await withBells(1, 1)
    const [his] = idsOf(await service.duo.get(BELL))
    const foreign = await service.una.post(`${BELL}/${his}/read`)
    const unknown = await service.una.post(`${BELL}/${randomUUID()}/read`)
    expect(verdict(foreign)).toBe('404 not_found')
    expect([unknown.status, unknown.text]).toEqual([foreign.status, foreign.text])
    expect({ ...unknown.headers, date: '' }).toEqual({ ...foreign.headers, date: '' })
    expect((await service.duo.get(BELL)).json).toMatchObject({ unread_count: 1, data: [UNREAD] })
    expect(told(service, 'notification.read')).toEqual([])
  })

  it('NOT-03 answers 404 for ids that are none, and changes nothing', async () => {
    const { una } = await withBells(1, 0)
    const [id = ''] = idsOf(await una.get(BELL))
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

  it('NOT-04 marks all of one user only', async () => {
    const { una, duo } = await withBells(3, 2)
    expect((await una.post(READ_ALL)).json).toEqual({ unread_count: 0 })
    expect((await una.get(BELL)).json.unread_count).toBe(0)
    expect((await duo.get(BELL)).json).toMatchObject({ unread_count: 2, data: [UNREAD, UNREAD] })
  })

  it('NOT-13 wants a token and a listed origin', async () => {
    const { una } = await withBells(2, 0)
    const [id] = idsOf(await una.get(BELL))
    for (const path of [READ_ALL, `${BELL}/${id}/read`]) {
      const send = async (headers: Record<string, string | null>) =>
        verdict(await una.post(path, undefined, { headers }))
      expect(await send({ 'x-xsrf-token': null })).toBe('419 csrf_mismatch')
      expect(await send({ origin: 'https://evil.test' })).toBe('403 origin_mismatch')
    }
    expect((await una.get(COUNT)).json).toEqual({ unread_count: 2 })
  })

  it('NOT-12 is right after many marks at the same moment', async () => {
    const { una, clock } = await withBells(10, 0)
    const [id = ''] = idsOf(await una.get(BELL))
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

  it('OPS-17 loses no mark among 50 requests of one session at the same moment', async () => {
    const { una } = await withBells(15, 0)
    const ids = idsOf(await una.get(BELL))
    const session = una.cookie('svc_session')
    const answers = await Promise.all([
      ...ids.map(async (id) => una.post(`${BELL}/${id}/read`)),
      ...Array.from({ length: 20 }, async () => una.get(BELL)),
      ...Array.from({ length: 15 }, async () => una.get('/svc/api/user')),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect((await una.get(COUNT)).json).toEqual({ unread_count: 0 })
    expect(una.cookie('svc_session')).toBe(session)
  })
})

describe('Notifications: the gates', () => {
  it('NOT-14 stand before list, count and marks, and show no entry', async () => {
    const twoFactor = fakeTwoFactor<FakeUser>({ enabled: ['u2'], required: ['quinta'] })
    const service = await startService({ twoFactor })
    service.users.add({ id: 'quinta', email: 'quinta@x.test', passwordHash })
    for (const id of ['u1', 'u2', 'u3', 'quinta'])
      await service.auth.notify(await userOf(service, id), bell({ title: 'classified' }))
    const refused = await loggedIn(service, 'u1@x.test')
    const [id] = idsOf(await refused.get(BELL))
    service.users.update('u1', { active: false })
    const expected = [
      [service.browser(), '401 unauthenticated'],
      [await loggedIn(service, 'u2@x.test'), '401 unauthenticated'],
      [await loggedIn(service, 'u3@x.test'), '403 email_verification_required'],
      [await loggedIn(service, 'quinta@x.test'), '403 two_factor_setup_required'],
      [refused, '401 unauthenticated'],
    ] as const
    for (const [browser, refusal] of expected) {
      if (browser.cookie('XSRF-TOKEN') === null) await browser.get('/svc/api/csrf-cookie')
      const answers = [
        await browser.get(BELL),
        await browser.get(COUNT),
        await browser.post(`${BELL}/${id}/read`),
        await browser.post(READ_ALL),
        await browser.get(`${BELL}/stream`),
      ]
      expect(answers.map(verdict)).toEqual(Array(5).fill(refusal))
      expect(answers.map(({ text }) => text).join('')).not.toMatch(/classified|unread_count/)
    }
    expect(told(service, 'notification.read')).toEqual([])
  })

  it('keep apart the tenants, whose users may have the same id', async () => {
    const byHeader: Middleware = async (context, next) => {
      context.tenant = context.request.header('x-tenant')
      return next()
    }
    const svc = { prefix: 'admin', panels: ['main'], middleware: [byHeader] }
    const service = await startService({ config: { svc } })
    const lists: Answer[] = []
    for (const tenant of ['a', 'b']) {
      service.users.add({ id: 't', email: 't@x.test', passwordHash, tenant })
      const user = await userOf(service, 't', tenant)
      await service.auth.notify(user, bell({ title: `of ${tenant}` }), { tenant })
    }
    for (const tenant of ['a', 'b']) {
      const headers = { 'x-tenant': tenant }
      const browser = service.browser()
      await browser.get('/svc/api/csrf-cookie', { headers })
      const credentials = { email: 't@x.test', password: 'correct horse battery staple' }
      await browser.post('/svc/api/login', credentials, { headers })
      const other = idsOf(lists[0] ?? EMPTY)[0] ?? randomUUID()
      expect((await browser.post(`${BELL}/${other}/read`, undefined, { headers })).status).toBe(404)
      lists.push(await browser.get(BELL, { headers }))
      if (tenant === 'a') await browser.post(READ_ALL, undefined, { headers })
    }
    expect(lists.map(titlesOf)).toEqual([['of a'], ['of b']])
    expect(lists.map(({ json }) => json.unread_count)).toEqual([1, 1])
    const sent = ['a', 'b'].map((tenant) => ({ userId: 't', tenant, type: 'note' }))
    expect(told(service, 'notification.sent')).toEqual(sent)
  })
})

const EMPTY: Answer = { status: 0, headers: {}, text: '', json: { data: [] } }

describe('Notifications: sending', () => {
  /** A service with channels of the host, and what came over them, in its order. */
  async function withChannels() {
    const delivered: string[] = []
    let failing = false
    const channel =
      (name: string): NotificationChannel<FakeUser> =>
      async (user, { type }) => {
        if (failing) throw new Error('the gateway is down')
        const unread = await service.stores.notifications.unreadCount({
          tenant: null,
          userId: user.id,
        })
        delivered.push(`${name} ${type} to ${user.id}, ${unread} unread`)
      }
    const channels = { sms: channel('sms'), post: channel('post') }
    const service = await startService({ channels })
    const una = await userOf(service, 'u1')
    const unread = async () =>
      service.stores.notifications.unreadCount({ tenant: null, userId: 'u1' })
    return { service, una, delivered, unread, fail: () => (failing = true) }
  }
  const note = (via: readonly string[], data?: BellData): Notification<FakeUser> => ({
    type: 'note',
    via: () => via,
    ...(data && { toDatabase: () => data }),
  })

  it('stores for the bell first, then calls the other channels by name, each once', async () => {
    const { service, una, delivered } = await withChannels()
    await service.auth.notify(una, note(['post', 'sms', 'database', 'sms'], { title: 't' }))
    expect(delivered).toEqual(['post note to u1, 1 unread', 'sms note to u1, 1 unread'])
    expect(told(service, 'notification.sent')).toEqual([
      { userId: 'u1', tenant: null, type: 'note' },
    ])
  })

  it('stores nothing where the bell is not named', async () => {
    const { service, una, delivered, unread } = await withChannels()
    await service.auth.notify(una, note(['sms'], { title: 't' }))
    await service.auth.notify(una, note([], { title: 't' }))
    expect(delivered).toEqual(['sms note to u1, 0 unread'])
    expect(await unread()).toBe(0)
    expect(told(service, 'notification.sent')).toEqual([])
  })

  it('asks via and toDatabase of the user that it is sent to', async () => {
    const { service, una } = await withChannels()
    const asked: string[] = []
    await service.auth.notify(una, {
      type: 'note',
      via: ({ id }) => (asked.push(`via ${id}`), ['database']),
      toDatabase: ({ id }) => (asked.push(`toDatabase ${id}`), { title: id }),
    })
    expect(asked).toEqual(['via u1', 'toDatabase u1'])
  })

  const title = 't'
  it.each<readonly [string, Notification<FakeUser>, string]>([
    ['names an unknown channel', note(['database', 'fax'], { title }), '"fax"'],
    ['names a channel of Object', note(['database', 'toString'], { title }), '"toString"'],
    ['has no toDatabase', note(['database', 'sms']), 'toDatabase'],
    ['has no title', note(['database', 'sms'], {} as BellData), 'title'],
    ['has an empty title', note(['database', 'sms'], { title: ' \n ' }), 'title'],
    ['has a title that is no text', note(['database'], { title: 7 } as never), 'title'],
    ['has a body that is no text', note(['database'], { title, body: {} } as never), 'body'],
    ['has a title with U+0000', note(['database', 'sms'], { title: 'a\0' }), 'title'],
    ['has a body with U+0000', note(['database', 'sms'], { title, body: '\0' }), 'body'],
    ['leads to an address with U+0000', note(['database'], { title, url: '/\0' }), 'url'],
    ['has a type with U+0000', { ...note(['database'], { title }), type: 'a\0' }, 'type'],
    ['has no type', { ...note(['database'], { title }), type: '' }, 'type'],
    ['leads to a script', note(['database', 'sms'], { title, url: 'javascript:alert(1)' }), 'url'],
  ])('throws and does nothing when it %s', async (_, notification, message) => {
    const { service, una, delivered, unread } = await withChannels()
    const sent = service.auth.notify(una, notification)
    await expect(sent).rejects.toThrow(NotificationError)
    await expect(sent).rejects.toThrow(message)
    expect([await unread(), delivered]).toEqual([0, []])
    expect(told(service, 'notification.sent')).toEqual([])
  })

  it('keeps what is stored when a channel of the host fails, and tells the sender', async () => {
    const { service, una, unread, fail } = await withChannels()
    fail()
    const sent = service.auth.notify(una, note(['database', 'sms'], { title }))
    await expect(sent).rejects.toThrow('the gateway is down')
    expect(await unread()).toBe(1)
  })
})

describe('Notifications: addresses', () => {
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\tjavascript:alert(1)',
    'java\nscript:alert(1)',
    ' https://a.test',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.test/x',
    'file:///etc/passwd',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    'https:evil',
    'https:/evil',
    'https:///evil',
    'https://',
    'http://[',
    'orders/7',
    '',
    'mailto:a@x.test',
    `https://a.test/${'x'.repeat(3000)}`,
    123,
    {},
  ]
  const good = ['https://a.test/x', 'HTTP://a.test', '/panel/x', '/x?y=//z#a:b', '/']

  it('NOT-06 are refused when they are sent, unless they are https:, http: or a path', async () => {
    const service = await withBells(0, 0)
    const una = await userOf(service, 'u1')
    for (const url of bad) {
      const sent = service.auth.notify(una, bell({ title: 't', url: url as string }))
      await expect(sent, JSON.stringify(url)).rejects.toThrow(NotificationError)
    }
    for (const url of good) await service.auth.notify(una, bell({ title: 't', url }))
    const { json } = await service.una.get(BELL)
    expect(json.data.map(({ data }: { data: BellData }) => data.url)).toEqual(good.toReversed())
  })

  it('NOT-06 are blanked when they are read, where they were stored by other means', async () => {
    const service = await withBells(0, 0)
    const urls = [...bad, ...good]
    const shown: unknown[] = []
    for (const url of urls) {
      await service.stores.notifications.add(
        { tenant: null, userId: 'u1' },
        { id: randomUUID(), type: 't', title: 't', body: null, url: url as string, createdAt: 0 },
      )
      shown.push((await service.una.get(BELL)).json.data[0].data.url)
    }
    expect(shown).toEqual([...bad.map(() => null), ...good])
  })
})

describe('Notifications: the count under load', () => {
  it.each(Object.entries(storesOfTwoNodes))(
    'is what counting by hand gives after hundreds of sends and marks on two nodes: %s',
    async (_, make) => {
      const shared = await make()
      const nodes = await Promise.all(shared.map(openNode))
      const failures: number[] = []
      async function sends(node: TestService): Promise<void> {
        for (let sent = 0; sent < 150; sent += 1) {
          await notify(node, 'u1')
          // Lets the marks in between.
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      async function marks(browser: Browser, turn: number): Promise<void> {
        for (let round = 0; round < 20; round += 1) {
          const ids = idsOf(await browser.get(BELL))
          const id = ids[(round * 7 + turn) % Math.max(1, ids.length)] ?? randomUUID()
          const path = turn === 0 && round === 6 ? READ_ALL : `${BELL}/${id}/read`
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
      expect(all).toHaveLength(300)
      expect(unread).toBeGreaterThan(0)
      for (const { node, una } of nodes) {
        expect((await una.get(COUNT)).json).toEqual({ unread_count: unread })
        await notify(node, 'u1')
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
    'removes what is older than the days that are kept, and keeps the count right: %s',
    async (_, make) => {
      const [stores] = await make()
      const service = await withBells(2, 1, { stores: withoutTime(stores) })
      service.clock.advance({ hours: 24 })
      await notify(service, 'u1', 3)
      const una = await loggedIn(service, 'u1@x.test')
      const [latest] = idsOf(await una.get(BELL))
      await una.post(`${BELL}/${latest}/read`)
      expect(await service.auth.prune({ keepNotificationsDays: 1 })).toBeLessThan(10)
      expect((await una.get(BELL)).json).toMatchObject({ unread_count: 4 })
      service.clock.advance({ ms: 1 })
      await service.auth.prune()
      expect((await una.get(BELL)).json.unread_count).toBe(4)
      expect(await service.auth.prune({ keepNotificationsDays: 1 })).toBe(3)
      const list = await una.get(BELL)
      expect([titlesOf(list), list.json.unread_count]).toEqual([['3', '2', '1'], 2])
      const duo = await loggedIn(service, 'u2@x.test')
      expect((await duo.get(BELL)).json).toEqual({ data: [], unread_count: 0 })
    },
  )
})

describe('Notifications: sessions', () => {
  it('are not kept alive by the bell', async () => {
    const { una, clock } = await withBells(1, 0)
    for (let minute = 0; minute < 120; minute += 20) {
      expect((await una.get(BELL)).status).toBe(200)
      expect((await una.get(COUNT)).status).toBe(200)
      clock.advance({ minutes: 20 })
    }
    expect(verdict(await una.get(COUNT))).toBe('401 unauthenticated')
  })

  it('are kept alive by marking', async () => {
    const { una, clock } = await withBells(1, 0)
    clock.advance({ minutes: 119 })
    expect((await una.post(READ_ALL)).status).toBe(200)
    clock.advance({ minutes: 119 })
    expect((await una.get(COUNT)).status).toBe(200)
  })
})
