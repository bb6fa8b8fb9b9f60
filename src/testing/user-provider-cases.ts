import assert from 'node:assert/strict'
import {
  asUserProviderCases,
  foundBy,
  type StoredUser,
  type UserScene,
} from './user-provider-case.ts'

const ada: StoredUser = { email: 'ada@example.com', name: 'Ada', passwordHash: 'the hash of ada' }
const bea: StoredUser = { email: 'bea@example.com', name: 'Bea', passwordHash: 'the hash of bea' }

/** Ids that a conversion could take for `id`, and ids that no column holds. */
function wrongIds(id: string): readonly string[] {
  const similar = ['abc', ' ', '.0', '\0', '\ud800'].map((end) => id + end)
  const padded = [' ', '0', '+'].map((start) => start + id)
  const other = ['', ' ', 'nobody', '0', '-1', '1e1', '9'.repeat(30), '%', "' or '1'='1", ZERO]
  return [...similar, ...padded, ...other]
}

const ZERO = '00000000-0000-4000-8000-000000000000'

/** Emails that a collation or a pattern could take for `ada@example.com`. */
const wrongEmails: readonly string[] = [
  'àda@example.com',
  'ａda@example.com',
  'ada@exàmple.com',
  'ADA@EXAMPLE.COM',
  'ada@example.com ',
  'ada@example.com\0',
  'a_a@example.com',
  '%',
  '',
]

/** Asserts that one of many changes at once replaces the hash; `undefined` says: no such method. */
async function isReplacedOnce<User>(
  { add, byId }: UserScene<User>,
  stored: StoredUser,
  replace: (user: User, to: string) => unknown,
): Promise<void> {
  const id = await add(stored)
  const found = await byId(id)
  assert.ok(found !== null)
  const hashes = Array.from({ length: 10 }, (_, index) => `the new hash ${index}`)
  const answers = await Promise.all(hashes.map((to) => replace(found.user, to)))
  if (answers.every((answer) => answer === undefined)) return
  assert.equal(answers.filter((answer) => answer === true).length, 1)
  assert.equal(answers.filter((answer) => answer === false).length, 9)
  assert.equal((await byId(id))?.passwordHash, hashes[answers.indexOf(true)])
}

/**
 * Cases that every UserProvider must pass. Those of optional methods pass where the method is
 * missing.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 *
 * const subject: UserProviderSubject<User> = {
 *   open: async () => ({
 *     users,
 *     add: async ({ email }) => String(await db.run('insert into users (email) …', email)),
 *     change: async (id, { email }) => void (await db.run('update users …', email, id)),
 *     remove: async (id) => void (await db.run('delete from users where id = ?', id)),
 *   }),
 * }
 * for (const { name, run } of userProviderCases) test(name, () => run(subject))
 * ```
 */
export const userProviderCases = asUserProviderCases({
  'finds a user by id and by email': async ({ add, byId, byEmail }) => {
    const id = await add(ada)
    await add(bea)
    for (const found of [await byId(id), await byEmail(ada.email)]) {
      assert.ok(found !== null)
      const { email, name, passwordHash } = found
      assert.deepEqual({ id: found.id, email, name, passwordHash }, { id, ...ada })
    }
  },
  'finds a user without a name or a password': async ({ add, byId }) => {
    const found = await byId(await add({ email: ada.email, name: null, passwordHash: null }))
    assert.ok(found !== null)
    assert.equal(found.name, null)
    assert.equal(found.passwordHash, null)
  },
  'finds nobody by an id that is only similar': async ({ add, byId }) => {
    const id = await add(ada)
    const upper = id.toUpperCase()
    for (const other of [...wrongIds(id), ...(upper === id ? [] : [upper])])
      assert.equal(await byId(other), null, other)
  },
  'finds nobody by an email that is only similar': async ({ add, byEmail }) => {
    await add(ada)
    for (const email of wrongEmails) assert.equal(await byEmail(email), null, email)
  },
  'finds nobody by the plain form of an email that is stored with accents': async ({
    add,
    byEmail,
  }) => {
    const id = await add({ ...ada, email: 'ádá@example.com' })
    assert.equal(await byEmail(ada.email), null)
    assert.equal((await byEmail('ádá@example.com'))?.id, id)
  },
  'finds no removed user': async ({ users, add, remove, byId, byEmail }) => {
    const id = await add(ada)
    await remove(id)
    assert.equal(await byId(id), null)
    assert.equal(await byEmail(ada.email), null)
    const [found] = (await users.findManyById?.([id], null)) ?? []
    assert.equal(foundBy(users, found), null)
  },
  'finds many users in the order of their ids': async ({ users, add }) => {
    const ids = [await add(ada), await add(bea)] as const
    const emailsOf = async (asked: readonly string[]) => {
      const found = (await users.findManyById?.(asked, null)) ?? null
      return found?.map((user) => foundBy(users, user)?.email ?? null) ?? null
    }
    const [first, second] = ids
    const asked = ['nobody', second, first, second, `${first}abc`, '\0', '']
    const emails = await emailsOf(asked)
    if (emails === null) return
    assert.deepEqual(emails, [null, bea.email, ada.email, bea.email, null, null, null])
    assert.deepEqual(await emailsOf([]), [])
    const others = Array.from({ length: 1200 }, (_, index) => String(1_000_000 + index))
    const many = await emailsOf([...others, ...ids])
    assert.deepEqual(many?.slice(-3), [null, ada.email, bea.email])
  },

  'replaces a hash once, of many requests at once': async (scene) => {
    await isReplacedOnce(scene, ada, async (user, to) =>
      scene.users.rehash?.(user, ada.passwordHash ?? '', to),
    )
  },
  'replaces no hash that was changed meanwhile, and none of another user': async ({
    users,
    add,
    change,
    byId,
  }) => {
    const id = await add(ada)
    const other = await add({ ...bea, passwordHash: ada.passwordHash })
    const found = await byId(id)
    assert.ok(found !== null)
    await change(id, { passwordHash: 'another hash' })
    const answer = await users.rehash?.(found.user, ada.passwordHash ?? '', 'new')
    assert.notEqual(answer, true)
    assert.equal((await byId(id))?.passwordHash, 'another hash')
    assert.equal((await byId(other))?.passwordHash, ada.passwordHash)
  },
  'stores the hash of a new password once, of many requests at once': async (scene) => {
    for (const stored of [ada, { ...bea, passwordHash: null }]) {
      await isReplacedOnce(scene, stored, async (user, to) =>
        scene.users.setPasswordHash?.(user, stored.passwordHash, to),
      )
    }
  },
  'verifies the email of one user, once': async ({ add, byId }) => {
    const [id, other] = [await add(ada), await add(bea)]
    const verification = (await byId(id))?.verification ?? null
    if (verification === null) return
    assert.equal(verification.hasVerifiedEmail(), false)
    await Promise.all([verification.markEmailAsVerified(), verification.markEmailAsVerified()])
    assert.equal((await byId(id))?.verification?.hasVerifiedEmail(), true)
    assert.equal((await byId(other))?.verification?.hasVerifiedEmail(), false)
  },
  'verifies no email that was changed meanwhile': async ({ add, change, byId }) => {
    const id = await add(ada)
    const verification = (await byId(id))?.verification ?? null
    if (verification === null) return
    await change(id, { email: 'other@example.com' })
    await verification.markEmailAsVerified()
    assert.equal((await byId(id))?.verification?.hasVerifiedEmail(), false)
  },
  'creates a user who is found at once': async ({ users, byId }) => {
    const made = await users.create?.({ ...bea, passwordHash: 'new' }, null)
    const created = foundBy(users, made)
    if (created === null) return
    const found = await byId(created.id)
    assert.equal(found?.email, bea.email)
    assert.equal(found.name, bea.name)
    assert.equal(found.passwordHash, 'new')
  },
})
