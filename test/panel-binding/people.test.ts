import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { people, seed, seedNotifications } from '../../dist/panel/seed.js'
import { Users } from '../../dist/panel/users.js'

describe('the people', () => {
  it('are seeded once, as the documents say', async () => {
    const users = new Users(new Database(':memory:'))
    expect(await seed(users)).toBe(true)
    expect(await seed(users)).toBe(false)
    const required = users.all().filter(({ twoFactorRequired }) => twoFactorRequired)
    expect(users.all()).toHaveLength(people.length)
    expect(required.map(({ email }) => email)).toEqual(['rex@example.com'])
  })

  it('of a database of the first version are there, and need no second factor', async () => {
    const database = new Database(':memory:')
    database.exec(`CREATE TABLE people (
      id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT, password_hash TEXT NOT NULL,
      email_verified_at TEXT, must_verify_email INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO people VALUES ('1', 'eve@x.test', NULL, 'hash', NULL, 1)`)
    for (const users of [new Users(database), new Users(database)]) {
      const eve = await users.findByEmail('eve@x.test')
      expect(eve).toMatchObject({ id: '1', twoFactorRequired: false, emailVerifiedAt: null })
      expect(eve).toHaveProperty('hasVerifiedEmail')
    }
  })

  it('of whom only some must verify their email are the same when made and when found', async () => {
    const users = new Users(new Database(':memory:'))
    const fields = { email: 'a@x.test', name: null, passwordHash: '', twoFactorRequired: true }
    const made = await users.create({ ...fields, mustVerifyEmail: false })
    expect(await users.findById(made.id)).toEqual(made)
    expect(made).not.toHaveProperty('hasVerifiedEmail')
    const other = await users.create({ ...fields, email: 'b@x.test', mustVerifyEmail: true })
    expect(other).toHaveProperty('hasVerifiedEmail')
  })
})

describe('the notifications of Bea', () => {
  it('are 45, of which the latest 30 are unread', async () => {
    const users = new Users(new Database(':memory:'))
    await seed(users)
    const { notifications } = memoryStores()
    await seedNotifications(notifications, users, Date.now())
    const bea = await users.findByEmail('bea@example.com')
    const owner = { tenant: null, userId: bea?.id ?? '' }
    const all = await notifications.latest(owner, 100)
    expect(all).toHaveLength(45)
    expect(await notifications.unreadCount(owner)).toBe(30)
    expect(all.map(({ readAt }) => readAt === null)).toEqual(all.map((_, index) => index < 30))
    const times = all.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })
})
