import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '@svc/auth'
import { prismaFactors } from '@svc/auth/totp'
import type { PrismaModel } from '@svc/auth/users'
import { installPrisma } from '../../scripts/prisma.mjs'
import { emptyPostgres } from '../support/postgres.ts'
import { openPrismaClient } from '../support/prisma.ts'
import { created, type FactorHost } from '../totp/factor-kinds.ts'
import { testFactorStore } from '../totp/store-suite.ts'

type Field = 'userId' | 'secret' | 'recoveryCodes' | 'lastStep' | 'devices'

/** The part of a generated client that the tests use. */
interface Client {
  readonly twoFactor: PrismaModel<Field>
  readonly member: PrismaModel
  $disconnect(): Promise<void>
}

const INSTALLING = 300_000
let folder: string

beforeAll(() => {
  folder = installPrisma()
}, INSTALLING)

async function openHost(): Promise<FactorHost> {
  const url = await emptyPostgres()
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const open = async () => openPrismaClient<Client>(folder, 'text', url)
  const [one, other] = await Promise.all([open(), open()])
  onTestFinished(async () => {
    await Promise.all([one.$disconnect(), other.$disconnect(), pool.end()])
  })
  return created({
    first: prismaFactors(one.twoFactor, { devices: true }),
    second: prismaFactors(other.twoFactor, { devices: true }),
    run: async (sql) => (await pool.query(sql)).rows,
  })
}

describe('a second factor in Prisma and pg', () => {
  testFactorStore(openHost)

  it('is refused at the start on a model that lacks its fields', async () => {
    const { member } = await openPrismaClient<Client>(folder, 'text', await emptyPostgres())
    expect(() => prismaFactors(member)).toThrow(ConfigError)
    expect(() => prismaFactors(member)).toThrow('prismaFactors: the model has no userId')
  })
})
