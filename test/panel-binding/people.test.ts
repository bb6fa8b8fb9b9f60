import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import type { Database } from '../../build/panel/database.js'
import { migratePeople } from '../../build/panel/schema.js'
import { people, seed, seedNotifications } from '../../build/panel/seed.js'
import { createUsers, type Users } from '../../build/panel/users.js'
import { databases, kinds, type TestDatabase } from './databases.ts'

describe.each(kinds)('the people on %s', (kind) => {
  let place: TestDatabase
  let database: Database
  let users: Users

  beforeEach(async () => {
    place = await databases[kind]()
    database = await place.open()
    await migratePeople(database)
    users = createUsers(database)
  })
  afterEach(async () => {
    await database.close()
    place.remove()
  })

  it('are seeded once, as documented', async () => {
    expect(await seed(users)).toBe(true)
    expect(await seed(users)).toBe(false)
    const all = await users.list()
    expect(all).toHaveLength(people.length)
    const required = all.filter(({ twoFactorRequired }) => twoFactorRequired === 1)
    expect(required.map(({ email }) => email)).toEqual(['rex@example.com'])
  })

  it('are seeded by one of two nodes that start at once', async () => {
    const other = await place.open()
    const answers = await Promise.all([seed(users), seed(createUsers(other))])
    await other.close()
    expect(answers.toSorted()).toEqual([false, true])
    expect(await users.list()).toHaveLength(people.length)
  })

  it('need email verification as seeded', async () => {
    const fields = { email: 'a@x.test', name: null, passwordHash: '', requireTwoFactor: true }
    const made = await users.create({ ...fields, mustVerifyEmail: false })
    expect(await users.findById(made.id)).toEqual(made)
    expect(made).not.toHaveProperty('hasVerifiedEmail')
    const other = await users.create({ ...fields, email: 'b@x.test', mustVerifyEmail: true })
    expect(other).toHaveProperty('hasVerifiedEmail')
  })

  it('have their hash replaced once, by the request that knows the old hash', async () => {
    const ada = await users.create({ email: 'a@x.test', name: null, passwordHash: 'old' })
    const answers = await Promise.all([
      users.rehash(ada, 'old', 'new'),
      users.rehash(ada, 'old', 'other'),
    ])
    expect(answers.toSorted()).toEqual([false, true])
  })

  it('are found by the exact bytes of the email', async () => {
    await users.create({ email: 'a@x.test', name: null, passwordHash: '' })
    expect(await users.findByEmail('a@x.test')).not.toBeNull()
    expect(await users.findByEmail('A@x.test')).toBeNull()
  })

  it('are verified for their current email only', async () => {
    const fields = { name: null, passwordHash: '', requireTwoFactor: false, mustVerifyEmail: true }
    const eve = await users.create({ ...fields, email: 'eve@x.test' })
    const verifies = 'markEmailAsVerified' in eve ? eve : null
    await database.tables.updateTable('people').set({ email: 'other@x.test' }).execute()
    await (verifies as unknown as { markEmailAsVerified(): Promise<void> }).markEmailAsVerified()
    expect(await users.findById(eve.id)).toMatchObject({ emailVerifiedAt: null })
  })

  it('include Bea with 45 notifications, of which the latest 30 are unread', async () => {
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
