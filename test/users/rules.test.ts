import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPanelAuth, hashPassword } from '@svc/auth'
import { loginAs } from '@svc/auth/testing'
import { closedAfterTest } from '../support/after-test.ts'
import { rightOptions } from '../support/service.ts'
import { openWithLooseCollation } from './handles.ts'
import { columns, hosts, postgresHost, sqliteHost, type Host } from './hosts.ts'

const flag = { SQLite: 'integer', PostgreSQL: 'boolean', MySQL: 'boolean' } as const

let host: Host

describe.each(['SQLite', 'PostgreSQL'] as const)('users of a table in %s', (kind) => {
  beforeEach(async () => {
    host = await hosts[kind]()
    await host.run(`create table users (
      id bigint primary key, email text, name text, password text, verified ${flag[kind]},
      deleted_at text, tenant text, role text)`)
  })

  async function add(
    id: string,
    email: string | null,
    role: string | null = null,
    tenant?: string,
  ) {
    const values = [id, email, role, tenant ?? null]
    const sql = 'insert into users (id, email, role, tenant, password) values (?, ?, ?, ?, '
    await host.run(`${sql}'hash')`, ...values)
  }

  it('keep an id beyond 2^53 exact', async () => {
    await add('9007199254740993', 'ada@example.com')
    await add('9007199254740992', 'bea@example.com')
    const users = host.usersWith()
    expect(await users.findByEmail('ada@example.com', null)).toMatchObject({
      id: '9007199254740993',
    })
    expect(await users.findById('9007199254740993', null)).toMatchObject({
      email: 'ada@example.com',
    })
  })

  it('are found by `ignoreEmailCase` only when their email is in upper case', async () => {
    await add('1', 'Ada@Example.com')
    const plain = host.usersWith()
    expect(await plain.findByEmail('ada@example.com', null)).toBeNull()
    const users = host.usersWith({ ignoreEmailCase: true })
    const ada = await users.findByEmail('ada@example.com', null)
    expect(ada && users.identify(ada)).toEqual({ id: '1', email: 'Ada@Example.com', name: null })
    expect(await users.findByEmail('Ada@Example.com', null)).toBeNull()
  })

  it('are not found when two have one email, and are logged once', async () => {
    await add('1', 'ada@example.com')
    await add('2', 'ADA@example.com')
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const users = host.usersWith({ ignoreEmailCase: true, log })
    expect(await users.findByEmail('ada@example.com', null)).toBeNull()
    expect(await users.findByEmail('ada@example.com', null)).toBeNull()
    expect(lines).toEqual([expect.stringContaining('The users 1 and 2 have the same email')])
    expect(await users.findById('1', null)).not.toBeNull()
  })

  it('are found although the log of the host fails', async () => {
    await add('1', 'ada@example.com')
    await add('2', 'ADA@example.com')
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => stderr.mockRestore())
    const log = () => {
      throw new Error('the log is full')
    }
    const users = host.usersWith({ ignoreEmailCase: true, log })
    expect(await users.findByEmail('ada@example.com', null)).toBeNull()
    expect(stderr).toHaveBeenCalledWith(expect.stringContaining('The users 1 and 2 have the same'))
  })

  it('are not found without an email', async () => {
    await add('1', null)
    await add('2', 'nobody')
    const users = host.usersWith()
    expect(await users.findManyById(['1', '2'], null)).toEqual([null, null])
    expect(await users.list()).toEqual([])
  })

  it('are those that `where` names, and new ones are among them', async () => {
    await add('1', 'ada@example.com', 'customer')
    await add('2', 'bea@example.com', 'administrator')
    const where = { role: 'administrator', name: null }
    const users = host.usersWith({ where, newRow: () => ({ id: 3 }) })
    expect(await users.findById('1', null)).toBeNull()
    expect(await users.findByEmail('ada@example.com', null)).toBeNull()
    expect(await users.findById('2', null)).not.toBeNull()
    await users.create({ email: 'eve@example.com', name: null, passwordHash: 'x' }, null)
    const ids = (await users.list()).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['2', '3'])
  })

  it('are created with the canonical email, by which they are found', async () => {
    const users = host.usersWith({ newRow: () => ({ id: 1 }) })
    const fields = { email: ' Ada@Example.com', name: null, passwordHash: 'x' }
    expect(await users.create(fields)).toMatchObject({ id: '1', email: 'ada@example.com' })
  })

  it('are not reported as created when `where` hides them', async () => {
    const where = { role: 'administrator' }
    const newRow = () => ({ id: 3, role: 'customer' })
    const users = host.usersWith({ where, newRow })
    const made = users.create({ email: 'eve@example.com', name: null, passwordHash: 'x' }, null)
    await expect(made).rejects.toThrow('inserted, but is not found')
  })

  it('belong to one tenant, or to none', async () => {
    await add('1', 'ada@example.com', null, 'acme')
    await add('2', 'ada@example.com', null, 'other')
    await add('3', 'ada@example.com')
    const newRow = () => ({ id: 4 })
    const users = host.usersWith({ columns: { ...columns, tenant: 'tenant' }, newRow })
    const idIn = async (tenant: string | null) =>
      (await users.findByEmail('ada@example.com', tenant))?.id
    expect([await idIn('acme'), await idIn('other'), await idIn(null)]).toEqual(['1', '2', '3'])
    expect(await users.findById('1', 'other')).toBeNull()
    expect(await users.findManyById(['1', '2', '3'], 'other')).toMatchObject([
      null,
      { id: '2' },
      null,
    ])
    const made = { email: 'eve@example.com', name: null, passwordHash: 'x' }
    expect(await users.create(made, 'acme')).toMatchObject({ id: '4' })
    expect(await users.findById('4', null)).toBeNull()
  })

  it('are nobody in a tenant when their table has no tenants', async () => {
    await add('1', 'ada@example.com')
    const users = host.usersWith()
    await expect(users.findById('1', 'acme')).rejects.toThrow('columns.tenant')
    await expect(users.findByEmail('ada@example.com', 'acme')).rejects.toThrow('columns.tenant')
  })

  it('must verify the email that a flag calls unverified', async () => {
    await add('1', 'ada@example.com')
    const verified = kind === 'SQLite' ? '0' : 'false'
    await host.run(`update users set verified = ${verified}`)
    const named = { ...columns, emailVerifiedAt: 'verified' }
    const users = host.usersWith({ columns: named, timestamp: () => true })
    const ada = await users.findById('1', null)
    expect(ada?.hasVerifiedEmail?.()).toBe(false)
    await ada?.markEmailAsVerified?.()
    expect((await users.findById('1', null))?.hasVerifiedEmail?.()).toBe(true)
    const others = host.usersWith({ columns: named, mustVerify: ({ id }) => id !== '1' })
    expect(await others.findById('1', null)).not.toHaveProperty('hasVerifiedEmail')
  })

  it('have the properties of other columns, for `present` and `canAccessPanel`', async () => {
    await add('1', 'ada@example.com', 'administrator')
    const users = host.usersWith({
      columns,
      otherColumns: { role: 'role' },
      canAccessPanel: ({ role }) => role === 'administrator',
      present: ({ id, role }) => ({ id, role: String(role) }),
    })
    const ada = await users.findById('1', null)
    expect(ada && (await users.canAccessPanel?.(ada))).toBe(true)
    expect(ada && users.present?.(ada)).toEqual({ id: '1', role: 'administrator' })
  })

  it('are changed and removed by the command', async () => {
    await add('2', 'bea@example.com')
    await add('1', 'ada@example.com')
    const users = host.usersWith()
    await users.setPassword({ id: '1' }, 'new')
    const hashes = (await users.list()).map(({ id, passwordHash }) => [id, passwordHash])
    expect(hashes).toEqual([
      ['1', 'new'],
      ['2', 'hash'],
    ])
    await users.remove({ id: '1' })
    expect((await users.list()).map(({ id }) => id)).toEqual(['2'])
    expect(await host.run('select id from users')).toHaveLength(1)
  })

  it('keep their row when removed from a table with soft deletion', async () => {
    await add('1', 'ada@example.com')
    const users = host.usersWith({ columns: { ...columns, deletedAt: 'deleted_at' } })
    await users.remove({ id: '1' })
    expect(await users.list()).toEqual([])
    expect(await host.run('select id from users')).toHaveLength(1)
    await add('2', 'ada@example.com')
    expect(await users.findByEmail('ada@example.com', null)).toMatchObject({ id: '2' })
  })

  it('lose their sessions with the next request after a soft deletion', async () => {
    await add('1', 'ada@example.com')
    await host.run('update users set password = ?', await hashPassword('correct horse battery'))
    const users = host.usersWith({ columns: { ...columns, deletedAt: 'deleted_at' } })
    const auth = closedAfterTest(createPanelAuth({ ...rightOptions(), users }))
    const ada = await users.findById('1', null)
    if (ada === null) throw new Error('the user is missing')
    const { headers } = await loginAs(auth, ada)
    const outcome = async () => {
      const lines = new Headers({ ...headers, host: 'localhost:3000' })
      return (await auth.userFrom(lines)).outcome
    }
    expect(await outcome()).toBe('admitted')
    await users.remove(ada)
    expect(await outcome()).toBe('unauthenticated')
  })
})

describe('users who are looked up in one tick', () => {
  /** Opens a table of two tenants, and counts the connections that it uses. */
  async function countedUsers() {
    const host = await postgresHost()
    await host.run('create table users (id integer, email text, password text, tenant text)')
    for (const [id, tenant] of [
      ['1', 'a'],
      ['2', 'a'],
      ['3', 'b'],
    ] as const) {
      await host.run('insert into users values (?, ?, ?, ?)', id, `u${id}@x.test`, 'hash', tenant)
    }
    const connect = vi.spyOn(host.pool, 'connect')
    const named = { ...columns, tenant: 'tenant' } as const
    return { users: host.usersWith({ columns: named }), connect }
  }

  it('are read by one statement, each for its own caller', async () => {
    const { users, connect } = await countedUsers()
    const asked = ['2', '1', '3', '2'] as const
    const found = await Promise.all(asked.map(async (id) => users.findById(id, 'a')))
    expect(found.map((user) => user?.id ?? null)).toEqual(['2', '1', null, '2'])
    expect(connect).toHaveBeenCalledTimes(1)
  })

  it('are not read by another tenant that asks at the same time', async () => {
    const { users, connect } = await countedUsers()
    const found = await Promise.all([users.findById('1', 'a'), users.findById('1', 'b')])
    expect(found.map((user) => user?.id ?? null)).toEqual(['1', null])
    expect(connect).toHaveBeenCalledTimes(2)
  })

  it('are not hidden by the failure of another tenant', async () => {
    const { users, connect } = await countedUsers()
    connect.mockImplementationOnce(() => {
      throw new Error('down')
    })
    const [first, second] = await Promise.allSettled([
      users.findById('1', 'a'),
      users.findById('3', 'b'),
    ])
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('down') })
    expect(second).toMatchObject({ value: { id: '3' } })
  })
})

describe('a collation', () => {
  it('finds an email that is stored in upper case when it ignores case, as in SQLite', async () => {
    const host = sqliteHost()
    await host.run('create table users (id integer, email text collate nocase, password text)')
    await host.run("insert into users values (1, 'Ada@Example.com', 'hash')")
    const users = host.usersWith()
    expect(await users.findByEmail('ada@example.com', null)).toMatchObject({ id: '1' })
  })

  it('finds nobody else when it ignores accents, as in PostgreSQL, and replaces no other hash', async () => {
    const host = await openWithLooseCollation(postgresHost)
    await host.run(
      `create table users (id integer, email text collate loose, password text collate loose,
        verified_at timestamptz)`,
    )
    await host.run("insert into users values (1, 'ádá@example.com', 'hash', null)")
    const named = { ...columns, emailVerifiedAt: 'verified_at' }
    const users = host.usersWith({ columns: named })
    expect(await users.findByEmail('ada@example.com', null)).toBeNull()
    const found = await users.findByEmail('ádá@example.com', null)
    if (found === null) throw new Error('the user is missing')
    expect(await users.rehash(found, 'HASH', 'new')).toBe(false)
    await host.run("update users set email = 'ada@example.com'")
    await found.markEmailAsVerified?.()
    expect((await users.findById('1', null))?.hasVerifiedEmail?.()).toBe(false)
  })
})
