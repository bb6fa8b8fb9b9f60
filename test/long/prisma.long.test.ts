import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '@svc/auth'
import type { FakeUsers } from '@svc/auth/testing'
import { prismaUsers, type PrismaModel } from '@svc/auth/users'
import { installPrisma } from '../../scripts/prisma.mjs'
import { openPrismaClient } from '../support/prisma.ts'
import { somePeople, startService } from '../support/service.ts'
import { verdict } from '../support/verdicts.ts'
import { modelOptionsFor } from '../users/drizzle-tables.ts'
import { hostileTexts, hostileValues } from '../users/hostile-values.ts'
import { postgresHost } from '../users/hosts.ts'
import { inSuite } from '../users/suite.ts'
import { createTable, idKinds, stageOn, type IdKind } from '../users/tables.ts'

type Field =
  | 'id'
  | 'mail'
  | 'fullName'
  | 'password'
  | 'verifiedAt'
  | 'deletedAt'
  | 'isActive'
  | 'role'

/** The part of a generated client that the tests use. */
interface Client {
  readonly member: PrismaModel<Field>
  $queryRaw(texts: TemplateStringsArray, ...values: unknown[]): Promise<unknown>
  $on(event: 'query', listener: (sent: { query: string; params: string }) => void): void
  $disconnect(): Promise<void>
}

const INSTALLING = 300_000
let folder: string

beforeAll(() => {
  folder = installPrisma()
}, INSTALLING)

async function openPrisma(kind: IdKind) {
  const host = await postgresHost()
  await createTable(host, kind)
  const prisma = await openPrismaClient<Client>(folder, kind, host.url)
  onTestFinished(async () => prisma.$disconnect())
  return { prisma, host }
}

describe.each(idKinds)('a users table with ids of the kind %s, by Prisma', (kind) => {
  inSuite(async () => {
    const { prisma, host } = await openPrisma(kind)
    return stageOn(host, kind, prismaUsers(prisma.member, modelOptionsFor(kind)))
  })
})

describe('by Prisma', () => {
  it('emails in upper case are found with `ignoreEmailCase`', async () => {
    const { prisma, host } = await openPrisma('number')
    const plain = prismaUsers(prisma.member, modelOptionsFor('number'))
    const options = { ...modelOptionsFor('number'), ignoreEmailCase: true }
    const users = prismaUsers(prisma.member, options)
    const stage = stageOn(host, 'number', plain)
    const id = await stage.add({ email: 'Ada@example.com', name: 'Ada', passwordHash: 'hash' })
    expect(await plain.findByEmail('ada@example.com', null)).toBeNull()
    expect(await users.findByEmail('ada@example.com', null)).toMatchObject({ id })
    expect(await users.findByEmail('a%@example.com', null)).toBeNull()
  })

  it('ids with spaces at their end are refused, as `char(n)` adds them', async () => {
    const { prisma, host } = await openPrisma('text')
    const users = prismaUsers(prisma.member, modelOptionsFor('text'))
    const stage = stageOn(host, 'text', users)
    await stage.add({ email: 'ada@x.test', name: 'Ada', passwordHash: 'hash' })
    await stage.add({ email: 'bea@x.test', name: 'Bea', passwordHash: 'hash' })
    await host.run("update members set id = 'a' where mail = 'bea@x.test'")
    await host.run("update members set id = 'a ' where mail = 'ada@x.test'")
    const ada = await users.findByEmail('ada@x.test')
    expect(() => ada?.id).toThrow('spaces')
    await expect(users.findById('a ')).rejects.toThrow('spaces')
    expect((await users.list()).map(({ email }) => email)).toEqual(['bea@x.test'])
    await host.run("delete from members where mail = 'ada@x.test'")
    await host.run('alter table members alter column id type char(9)')
    const bea = await users.findByEmail('bea@x.test')
    expect(() => bea?.id).toThrow('spaces')
    await expect(users.findById('a')).rejects.toThrow('spaces')
  })

  it.each(hostileTexts)(
    'an email with %s is escaped, and at most two users are read',
    async (text) => {
      const { prisma, host } = await openPrisma('text')
      const sent: { query: string; params: string }[] = []
      prisma.$on('query', (one) => sent.push(one))
      const users = prismaUsers(prisma.member, {
        ...modelOptionsFor('text'),
        ignoreEmailCase: true,
      })
      for (const id of ['u1', 'u2', 'u3'])
        await host.run('insert into members (id, mail) values (?, ?)', id, `${id}@x.test`)
      const email = `${text}@x.test`
      expect(await users.findByEmail(email, null)).toBeNull()
      expect(sent).toHaveLength(1)
      for (const { query, params } of sent) {
        expect(query).not.toContain(email)
        expect(query).toMatch(/LIMIT \$\d/)
        expect(JSON.parse(params)[0]).toBe(email.replaceAll(/[\\%_]/g, String.raw`\$&`))
      }
      await host.run('insert into members (id, mail) values (?, ?)', 'found', email.toUpperCase())
      expect(await users.findByEmail(email, null)).toMatchObject({ id: 'found' })
    },
  )

  it('the statement of the host finds an email by its lower case', async () => {
    const { prisma, host } = await openPrisma('number')
    const schema = (await host.run('select current_schema() as name'))[0]?.['name']
    await host.run('create unique index on members (lower(mail))')
    const asked: string[] = []
    const users = prismaUsers(prisma.member, {
      ...modelOptionsFor('number'),
      ignoreEmailCase: true,
      rowsByLowerEmail: (email) => {
        asked.push(email)
        return prisma.$queryRaw`
          select id from members where lower(mail) = ${email} limit 2`
      },
    })
    expect(schema).not.toBeNull()
    const stage = stageOn(host, 'number', users)
    const id = await stage.add({ email: 'Ada@example.com', name: null, passwordHash: 'hash' })
    await stage.add({ email: 'bea@example.com', name: null, passwordHash: 'hash' })
    const sent: string[] = []
    prisma.$on('query', ({ query }) => sent.push(query))
    expect(await users.findByEmail('ada@example.com', null)).toMatchObject({ id })
    expect(await users.findByEmail('%', null)).toBeNull()
    expect(asked).toEqual(['ada@example.com', '%'])
    expect(sent.join()).not.toContain('LIKE')
  })

  it('users whose emails differ in case are refused', async () => {
    const { prisma, host } = await openPrisma('text')
    const lines: string[] = []
    const options = { ...modelOptionsFor('text'), ignoreEmailCase: true }
    const log = (line: string) => void lines.push(line)
    const users = prismaUsers(prisma.member, { ...options, log })
    await host.run("insert into members (id, mail) values ('1', 'Ada@x.test'), ('2', 'ada@x.test')")
    expect(await users.findByEmail('ada@x.test', null)).toBeNull()
    expect(lines).toEqual([expect.stringContaining('The users 1 and 2 have the same email')])
  })

  it('nothing is sent for a value that is not a text', async () => {
    const { prisma } = await openPrisma('text')
    const sent: string[] = []
    prisma.$on('query', ({ query }) => sent.push(query))
    const users = prismaUsers(prisma.member, modelOptionsFor('text'))
    for (const value of hostileValues) {
      expect(await users.findByEmail(value as string, null)).toBeNull()
      expect(await users.findById(value as string, null)).toBeNull()
      await expect(users.remove({ id: value as string })).rejects.toThrow(TypeError)
    }
    expect(sent).toEqual([])
  })

  it('a tenant and a value of `where` are compared exactly', async () => {
    const { prisma, host } = await openPrisma('text')
    await host.run(
      "insert into members (id, mail, full_name, role) values ('1', 'ada@x.test', 'acme', 'staff')",
    )
    const { columns } = modelOptionsFor('text')
    const named = { id: columns.id, email: columns.email, passwordHash: columns.passwordHash }
    const options = { columns: { ...named, tenant: 'fullName' } } as const
    const users = prismaUsers(prisma.member, {
      ...options,
      where: { role: 'staff', isActive: true },
    })
    expect(await users.findByEmail('ada@x.test', 'acme')).toMatchObject({ id: '1' })
    for (const tenant of ['ACME', 'acme ', '%', { not: '' } as unknown as string])
      expect(await users.findByEmail('ada@x.test', tenant)).toBeNull()
    const blocked = prismaUsers(prisma.member, { ...options, where: { isActive: false } })
    expect(await blocked.findByEmail('ada@x.test', 'acme')).toBeNull()
    await host.run('update members set is_active = false')
    expect(await blocked.findByEmail('ada@x.test', 'acme')).toMatchObject({ id: '1' })
  })

  it('a hash that cannot be renewed refuses no login, and no hash is logged', async () => {
    const { prisma, host } = await openPrisma('text')
    const oldHash = somePeople().row('u1')?.passwordHash ?? ''
    await host.run(
      "insert into members (id, mail, password, verified_at) values ('u1', 'u1@x.test', ?, now())",
      oldHash,
    )
    await host.run(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused: % %', old.password, new.password; end $$`)
    await host.run(
      'create trigger refuse before update on members for each row execute function refuse()',
    )
    const users = prismaUsers(prisma.member, modelOptionsFor('text'))
    const service = await startService({
      users: users as unknown as FakeUsers,
      config: { passwords: { memory_kib: 64, passes: 2 } },
    })
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(service.log).toMatchObject([{ fields: { event: 'auth.hash_not_renewed' } }])
    const everything = inspect(service.log, { depth: 20, showHidden: true })
    expect(everything).toMatch(/a query failed with the code P\d{4}, P0001/)
    expect(everything).not.toContain('$argon2')
  })

  it('a field that the model lacks is refused', async () => {
    const { prisma } = await openPrisma('number')
    const { columns } = modelOptionsFor('number')
    const unknown = { ...columns, email: 'mial' } as unknown as typeof columns
    const create = () => prismaUsers(prisma.member, { columns: unknown })
    expect(create).toThrow(ConfigError)
    expect(create).toThrow('prismaUsers: the model has no mial')
  })

  it('the published types fit the code of docs/users.md, and fields are checked', () => {
    const blocks = readFileSync('docs/users.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)
    const codes = Array.from(blocks, ([, block = '']) => block)
    const blockWith = (text: string) => codes.find((block) => block.includes(text)) ?? ''
    const [code, byLowerEmail] = [blockWith('prismaUsers'), blockWith('rowsByLowerEmail')]
    const shown = code.replace('./generated/', './number/')
    expect(errorsOf(shown)).toBe('')
    const client = shown.slice(0, shown.indexOf('export const users'))
    const folded = byLowerEmail.replace('prisma.user', 'prisma.member').replace("'email'", "'mail'")
    expect(folded).toContain('rowsByLowerEmail')
    expect(errorsOf(client + folded)).toBe('')
    expect(errorsOf(shown.replace("'fullName'", "'full_name'"))).toMatch(
      /"full_name"' is not assignable/,
    )
  })
})

/** Compiles a file of a host beside the generated client. */
function errorsOf(code: string): string {
  writeFileSync(join(folder, 'host.ts'), code)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'es2023',
    allowImportingTsExtensions: true,
    types: [],
    paths: { '@svc/auth/users': [resolve('build/src/users/providers.d.ts')] },
  }
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['host.ts'] }))
  try {
    return execFileSync('npx', ['tsc', '-p', config], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return String(Object(error).stdout)
  }
}
