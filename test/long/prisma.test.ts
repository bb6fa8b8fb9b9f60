import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '@svc/auth'
import { prismaUsers, type PrismaModel } from '@svc/auth/users'
import { installPrisma } from '../../scripts/prisma.mjs'
import { modelOptionsFor } from '../users/drizzle-tables.ts'
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
  const { PrismaClient } = await import(join(folder, kind, 'client.ts'))
  const { PrismaPg } = await import(
    join(folder, 'node_modules', '@prisma', 'adapter-pg', 'dist', 'index.mjs')
  )
  const schema = /search_path=(.*)$/.exec(new URL(host.url).searchParams.get('options') ?? '')?.[1]
  const adapter = new PrismaPg({ connectionString: host.url, max: 2 }, { schema })
  const prisma: Client = new PrismaClient({ adapter })
  const close = async (): Promise<void> => {
    await prisma.$disconnect()
    await host.close()
  }
  return { prisma, host: { ...host, close } }
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
    await host.close()
  })

  it('a field that the model lacks is refused', async () => {
    const { prisma, host } = await openPrisma('number')
    const { columns } = modelOptionsFor('number')
    const unknown = { ...columns, email: 'mial' } as unknown as typeof columns
    const create = () => prismaUsers(prisma.member, { columns: unknown })
    expect(create).toThrow(ConfigError)
    expect(create).toThrow('prismaUsers: the model has no mial')
    await host.close()
  })

  it('the published types fit the code of docs/users.md, and fields are checked', () => {
    const blocks = readFileSync('docs/users.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)
    const code = Array.from(blocks, ([, block = '']) => block).find((block) =>
      block.includes('prismaUsers'),
    )
    const shown = (code ?? '').replace('./generated/', './number/')
    expect(errorsOf(shown)).toBe('')
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
    paths: { '@svc/auth/users': [resolve('dist/src/users/providers.d.ts')] },
  }
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['host.ts'] }))
  try {
    return execFileSync('npx', ['tsc', '-p', config], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return String(Object(error).stdout)
  }
}
