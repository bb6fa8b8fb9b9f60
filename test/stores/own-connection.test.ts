import { existsSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqlite, sqliteStores, type SqliteHandle } from '@svc/auth/sqlite'
import { sqliteUsers } from '@svc/auth/users'
import { describe, expect, it } from 'vitest'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { drivers, type HostHandle, type OpenHandle } from '../support/sqlite.ts'
import { record } from './records.ts'

const columns = { id: 'id', email: 'email', passwordHash: 'password' }
const USERS = 'CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT, password TEXT)'

function usersOf(database: SqliteHandle | (() => HostHandle), table = 'users') {
  return sqliteUsers(database, { table, columns, newRow: ({ email }) => ({ id: email }) })
}

const ada = { email: 'ada@x.test', name: null, passwordHash: 'hash' }

/** Opens a file with a users table; it is closed after the test. */
function opened(open: OpenHandle, file = temporaryDatabase()): HostHandle {
  const handle = closedAfterTest(open(file))
  handle.exec(`PRAGMA journal_mode = WAL; ${USERS}`)
  return handle
}

describe.each(drivers)(
  'the connection of the service to the file of a handle of %s',
  (_n, open) => {
    it('is closed with the last stores on the handle, and leaves the handle open', async () => {
      const file = temporaryDatabase()
      const handle = open(file)
      handle.exec(`PRAGMA journal_mode = WAL; ${USERS}`)
      const [one, other] = [sqliteStores(handle), sqliteStores(handle)]
      await usersOf(handle).create(ada)
      await one.close()
      expect(await other.sessions.create('key', record)).toBe(true)
      await other.close()
      expect(handle.prepare('SELECT email FROM users').all()).toHaveLength(1)
      handle.close()
      // The last connection that closes removes it.
      expect(existsSync(`${file}-wal`)).toBe(false)
    })

    it('is opened again for users that are read after the stores were closed', async () => {
      const handle = opened(open)
      const [stores, users] = [sqliteStores(handle), usersOf(handle)]
      await users.create(ada)
      await stores.close()
      expect(await users.findByEmail('ada@x.test')).toMatchObject({ id: 'ada@x.test' })
      await sqliteStores(handle).close()
    })

    it('leads to the file of a relative path after the folder has changed, and of a link', async () => {
      const [file, before] = [temporaryDatabase(), process.cwd()]
      process.chdir(dirname(file))
      const handle = opened(open, basename(file))
      process.chdir(before)
      await sqliteStores(handle).sessions.create('key', record)
      const link = join(dirname(file), 'link.db')
      symlinkSync(file, link)
      const linked = closedAfterTest(open(link))
      expect(await sqliteStores(linked).sessions.read('key', 0)).toEqual(record)
    })

    it('enforces foreign keys as the handle does', async () => {
      const handle = opened(open)
      handle.exec(`PRAGMA foreign_keys = OFF;
      CREATE TABLE orders (by TEXT REFERENCES users (id)); INSERT INTO orders VALUES ('ada@x.test')`)
      const users = usersOf(handle)
      await users.remove(await users.create(ada))
      expect(handle.prepare('SELECT * FROM orders').all()).toHaveLength(1)
      await sqliteStores(handle).close()
    })

    it('refuses stores on a handle that cannot write, and reads its users only', async () => {
      const handle = opened(open)
      handle.exec("INSERT INTO users VALUES ('ada', 'ada@x.test', 'hash'); PRAGMA query_only = ON")
      expect(() => sqliteStores(handle)).toThrow(
        expect.objectContaining({
          name: 'ConfigError',
          message: expect.stringMatching(
            /your handle cannot write .*panel\.db; open it for writing/,
          ),
        }),
      )
      const users = usersOf(handle)
      const user = await users.findByEmail('ada@x.test')
      expect(user).toMatchObject({ id: 'ada' })
      await expect(users.setPassword({ id: 'ada' }, 'other')).rejects.toThrow('readonly')
    })

    it('fails at the start for a wrapper of a handle, and names the remedy', async () => {
      const handle = opened(open)
      const wrapper: SqliteHandle = {
        exec: (sql) => handle.exec(sql),
        prepare: (sql) => handle.prepare(sql),
      }
      const refusal = expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringMatching(/panel\.db.*give a function that opens a handle/),
      })
      expect(() => sqliteStores(wrapper)).toThrow(refusal)
      expect(() => usersOf(wrapper)).toThrow(refusal)
    })

    it('says what it lacks when a trigger needs a function of the handle, and takes a function that opens one', async () => {
      const file = temporaryDatabase()
      const withFunction = (): HostHandle => {
        const handle = open(file)
        Object(handle).function('twice', (text: unknown) => `${String(text)}${String(text)}`)
        return handle
      }
      const handle = closedAfterTest(withFunction())
      handle.exec(`${USERS}; CREATE TRIGGER doubled AFTER INSERT ON users
      BEGIN UPDATE users SET email = email WHERE twice('a') = 'aa'; END`)
      await expect(usersOf(handle).create(ada)).rejects.toThrow(
        /works on your handle only.*function that opens a handle/,
      )
      const stores = sqliteStores(withFunction)
      expect(await usersOf(withFunction).create(ada)).toMatchObject({
        email: 'ada@x.test',
      })
      await stores.close()
    })

    it('leaves no transaction open on the handle at a start while another connection reads', async () => {
      const file = temporaryDatabase()
      const handle = opened(open, file)
      handle.exec('PRAGMA journal_mode = DELETE')
      await sqliteStores(handle).close()
      const reader = closedAfterTest(open(file))
      reader.exec('BEGIN; SELECT * FROM users')
      closedAfterTest(sqliteStores(handle))
      expect(() => handle.exec('BEGIN; ROLLBACK')).not.toThrow()
    })

    it('fails at the start while the handle has locked its file for itself', () => {
      const handle = opened(open)
      handle.exec(
        'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; DELETE FROM users',
      )
      expect(() => sqliteStores(handle)).toThrow(/locked by .* the locking mode of a handle/)
    })
  },
)

describe('transaction() of a file that openSqlite opened', () => {
  it('does not join a transaction that exec began, and includes the calls within its step', async () => {
    const file = closedAfterTest(openSqlite(temporaryDatabase()))
    file.exec(`${USERS}; BEGIN`)
    const insert = file.prepare(`INSERT INTO users VALUES (?, 'e', 'p')`)
    const writing = file.transaction(() => {
      insert.run('1')
      void file.transaction(() => insert.run('2'))
    })
    await pause(50)
    file.exec('ROLLBACK')
    await writing
    expect(file.prepare('SELECT id FROM users').all()).toEqual([{ id: '1' }, { id: '2' }])
    expect(() =>
      file.transaction(() => {
        void file.transaction(() => insert.run('3'))
        throw new Error('fails')
      }),
    ).toThrow('fails')
    expect(file.prepare('SELECT id FROM users').all()).toHaveLength(2)
  })
})
