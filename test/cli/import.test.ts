import { sqliteStores } from '@svc/auth/sqlite'
import { describe, expect, it } from 'vitest'
import { temporaryDatabase } from '../support/databases.ts'
import { openHandle } from '../support/sqlite.ts'
import { configOf } from './command.ts'
import { svc } from '../support/svc.ts'
import { svcHere } from '../support/svc-here.ts'

const HOST = configOf('import-host.mjs')
const AT = Date.UTC(2024, 2, 5)
const NOT_FOUND = 'is not found by the email: is it unique, whatever its case, and without spaces?'

describe('svc import', () => {
  it('reports of each user why a login would fail', async () => {
    const { json } = await importOld(temporaryDatabase())
    expect(json.users).toEqual({
      total: 8,
      canLogIn: 1,
      withTwoFactor: 2,
      findings: [
        finding(
          '2',
          'rex@example.com',
          'must verify the email, and no mailer is bound that sends the link',
        ),
        finding(
          '3',
          'eve@example.com',
          expect.stringContaining('name its format, or let the user set a new one'),
        ),
        finding('4', 'git@example.com', 'has no password'),
        finding(
          '5',
          'Max@Example.com',
          expect.stringMatching(/not found by the email.*give `ignoreEmailCase: true`/),
        ),
        finding('6', 'cy@example.com', 'the second factor cannot be read: its key is missing'),
        finding('7', 'ada@example.com', NOT_FOUND),
        finding('8', 'sso@example.com', 'has no password'),
      ],
    })
  })

  it('reports users whom the service refuses to identify, and goes on', async () => {
    const env = { DATABASE: temporaryDatabase(), WITHOUT_EMAIL: '1' }
    const { stdout } = await svc([...OLD, '--json'], { env })
    const { total, canLogIn, findings } = JSON.parse(stdout).users
    expect({ total, canLogIn }).toEqual({ total: 33, canLogIn: 1 })
    const text = expect.stringMatching(/^cannot be checked: .*email as an address/)
    for (const id of ['n0', 'n24']) expect(findings).toContainEqual(finding(id, 'null', text))
  })

  it('changes nothing without --apply', async () => {
    const database = temporaryDatabase()
    const { json } = await importOld(database)
    expect(json).toMatchObject({ applied: false, notifications: { stored: 3, known: 0 } })
    expect(await bellOf(database, '1')).toEqual({ unread: 0, latest: [] })
  })

  it('stores the notifications with their times, and keeps those that were read', async () => {
    const database = temporaryDatabase()
    const { json } = await importOld(database, ['--apply'])
    expect(json).toMatchObject({ applied: true, notifications: { stored: 3, known: 0 } })
    const entry = { type: 'order', body: null, url: null, readAt: null }
    expect(await bellOf(database, '1')).toEqual({
      unread: 1,
      latest: [
        { ...entry, title: 'The second', body: 'Two chairs', createdAt: AT + 1000 },
        {
          ...entry,
          title: 'The first',
          url: '/orders/1',
          createdAt: AT,
          readAt: AT + 60_000,
        },
      ],
    })
    expect(await bellOf(database, '2')).toMatchObject({ unread: 1, latest: [{ title: 'Of Rex' }] })
  })

  it('reports what it could not take, and why', async () => {
    const { json } = await importOld(temporaryDatabase(), ['--apply'])
    expect(json.notifications.refused).toEqual([
      { id: 'c', reason: 'there is no user 9' },
      { id: 'd', reason: 'a notification needs a title' },
      { id: 'e', reason: expect.stringContaining('https:') },
      { id: 'f', reason: 'createdAt or readAt is not a number of milliseconds' },
    ])
  })

  it('stores each notification once, however often it runs', async () => {
    const database = temporaryDatabase()
    await importOld(database, ['--apply'])
    const once = await bellOf(database, '1')
    const { json } = await importOld(database, ['--apply'])
    expect(json.notifications).toMatchObject({ stored: 0, known: 3 })
    expect(await bellOf(database, '1')).toEqual(once)
  })

  it('goes on after an interruption', async () => {
    const database = temporaryDatabase()
    const env = { DATABASE: database, FAIL_AT: 'b' }
    const ran = await svcHere([...OLD, '--apply'], { env })
    expect(ran).toMatchObject({ code: 1, stderr: 'the old database is unreachable\n' })
    expect(ran.stdout).toContain('Notifications: 1 stored, 0 stored before, 0 refused.\n')
    expect((await bellOf(database, '1')).latest).toHaveLength(1)
    const { json } = await importOld(database, ['--apply'])
    expect(json.notifications).toMatchObject({ stored: 2, known: 1 })
    expect((await bellOf(database, '1')).latest).toHaveLength(2)
  })

  it('marks an entry as read that was stored before an interruption', async () => {
    const database = temporaryDatabase()
    await importOld(database, ['--apply'])
    const handle = openHandle(database)
    handle.exec(`update svc_notifications set read_at = null where title = 'The first'`)
    handle.close()
    await importOld(database, ['--apply'])
    const { latest } = await bellOf(database, '1')
    expect(latest).toContainEqual(expect.objectContaining({ readAt: AT + 60_000 }))
  })

  it('prints a summary, and shows its progress on standard error', async () => {
    const args = ['--config', HOST, 'import', '--from', 'many']
    const { stdout, stderr } = await svc(args, { env: { DATABASE: temporaryDatabase() } })
    expect(stdout).toContain('Users: 8; 1 can log in, 2 have a second factor.\n')
    expect(stdout).toContain('Notifications: 2500 to store, 0 stored before, 0 refused.\n')
    expect(stdout).toMatch(/Nothing was changed\. To store them, add --apply\.\n$/)
    expect(stderr).toBe('1000 notifications\n2000 notifications\n')
  })

  it('needs no list of the users for the notifications', async () => {
    const env = { DATABASE: temporaryDatabase(), WITHOUT_LIST: '1' }
    const { stdout } = await svcHere(['--config', HOST, 'import', '--from', 'old'], { env })
    expect(stdout).toContain('Users: not checked; this needs users.list of defineConfig.\n')
    expect(stdout).toContain('Notifications: 3 to store')
  })

  it('names a notification that its source cannot read, and goes on', async () => {
    const { json } = await importOld(temporaryDatabase(), [], 'garbled')
    expect(json.notifications).toMatchObject({
      stored: 1,
      refused: [{ id: '7', reason: 'its data is not an object of JSON' }],
    })
  })

  it('refuses a system that is not configured', async () => {
    const args = ['--config', HOST, 'import', '--from', 'constructor']
    const ran = await svcHere(args, { env: { DATABASE: temporaryDatabase() } })
    expect(ran).toMatchObject({
      code: 2,
      stderr: '--from: give one of old, many, garbled, empty\n',
    })
  })
})

it('svc doctor warns of a second factor that cannot be read', async () => {
  const args = ['--config', HOST, 'doctor', '--email', 'cy@example.com']
  const { stdout } = await svcHere(args, { env: { DATABASE: temporaryDatabase() } })
  expect(stdout).toMatch(
    /^warning +second factor: that of .* 6 cannot be read: its key is missing$/m,
  )
})

describe('svc import of a users table', () => {
  const args = ['--config', configOf('import-table-host.mjs'), '--json', 'import', '--from', 'old']

  it('counts the rows that are not users, by the reason', async () => {
    const { stdout } = await svcHere(args)
    expect(JSON.parse(stdout).users).toMatchObject({
      total: 2,
      leftOut: { deleted: 3, inactive: 2, blocked: 1, 'without an email': 1 },
    })
  })

  it('shows the form in which a login looks up an email that it does not find', async () => {
    const env = { LAST: 'ju\u0308@example.com', LAST_ROLE: 'admin' }
    const { stdout } = await svcHere(args, { env })
    const text = String.raw`is not found by the email, which a login looks up as "j\u00fc@example.com": store it in this form`
    expect(JSON.parse(stdout).users.findings).toContainEqual(finding('10', env.LAST, text))
  })

  it('prints these counts', async () => {
    const { stdout } = await svcHere(args.filter((one) => one !== '--json'))
    expect(stdout).toContain(
      'Rows that are not users: 3 deleted, 2 inactive, 1 blocked, 1 without an email.\n',
    )
  })

  it('counts nobody whom the panel refuses, or who cannot be checked, as able to log in', async () => {
    const { stdout } = await svcHere(args)
    expect(JSON.parse(stdout).users).toMatchObject({
      canLogIn: 0,
      findings: [
        finding('1', 'ada@example.com', 'is refused by canAccessPanel'),
        finding('2', 'bea@example.com', 'cannot be checked: the role is unknown'),
      ],
    })
  })

  it('checks 2,500 users at once in groups, and shows its progress', async () => {
    const { stdout, stderr } = await svcHere(args, { env: { MORE: '2498' } })
    expect(JSON.parse(stdout).users).toMatchObject({ total: 2500 })
    expect(stderr).toBe('1000 of 2500 users\n2000 of 2500 users\n')
  })

  it('lets the event loop turn, without which Ctrl-C would not end it', async () => {
    const { stderr } = await svc(args, { env: { MORE: '2498', TURNS: '1' } })
    expect(Number(/(\d+) turns/.exec(stderr)?.[1])).toBeGreaterThan(2500 / 20)
    const many = ['--config', HOST, 'import', '--from', 'many']
    const env = { DATABASE: temporaryDatabase(), TURNS: '1' }
    expect(Number(/(\d+) turns/.exec((await svc(many, { env })).stderr)?.[1])).toBeGreaterThan(2500)
  })

  it('takes a last group of one user who cannot be checked for no outage', async () => {
    const { stdout, code } = await svc(args, { env: { MORE: '18', LAST: 'zoe@example.com' } })
    expect(code).toBe(0)
    const { total, findings } = JSON.parse(stdout).users
    expect(total).toBe(21)
    const text = 'cannot be checked: the role is unknown'
    expect(findings).toContainEqual(finding('28', 'zoe@example.com', text))
  })

  it('names the users whose id finds nobody, as their sessions would end at once', async () => {
    const { stdout } = await svc(args, { env: { TENANTS: '1', VIEW: '1' } })
    expect(JSON.parse(stdout).users).toMatchObject({
      canLogIn: 0,
      findings: [
        finding('2', 'bea@example.com', 'has no password'),
        finding('2', 'bea@example.com', expect.stringContaining('is not found by the id')),
      ],
    })
  })

  it('looks each user up in the own tenant, and takes an empty hash for none', async () => {
    const { stdout } = await svcHere(args, { env: { TENANTS: '1' } })
    expect(JSON.parse(stdout).users).toMatchObject({
      findings: [
        finding('1', 'ada@example.com', 'is refused by canAccessPanel'),
        finding('2', 'bea@example.com', 'has no password'),
      ],
    })
  })

  it('fails at once when nobody can be checked, as in an outage', async () => {
    const ran = await svcHere(args, { env: { OUTAGE: '1' } })
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stdout + ran.stderr).toContain('the database is away')
  })
})

const OLD = ['--config', HOST, 'import', '--from', 'old']

function finding(id: string, email: string, text: unknown) {
  return { id, email, finding: text }
}

async function importOld(database: string, options: readonly string[] = [], from = 'old') {
  const args = ['--config', HOST, 'import', '--from', from, '--json', ...options]
  const { code, stdout, stderr } = await svcHere(args, { env: { DATABASE: database } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return { json: JSON.parse(stdout) }
}

/** Returns what the bell of a user has, without the ids. */
async function bellOf(database: string, userId: string) {
  const stores = sqliteStores(database)
  const owner = { tenant: null, userId }
  const latest = await stores.notifications.latest(owner, 10)
  const unread = await stores.notifications.unreadCount(owner)
  await stores.close()
  return { unread, latest: latest.map(({ id: _id, ...entry }) => entry) }
}
