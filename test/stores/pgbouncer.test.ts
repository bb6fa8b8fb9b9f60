import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'
import { open } from './postgres-stores.ts'
import { entry, record } from './records.ts'
import { range } from './redis-stores.ts'

const IGNORED = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'

/** A database whose schema needs no parameter in its address. */
async function ownDatabase(): Promise<string> {
  const url = new URL(await emptyPostgres())
  url.search = ''
  return url.href
}

describe('PgBouncer in transaction mode, before PostgreSQL', { timeout: 30_000 }, () => {
  it('is named at the start with the setting for the parameters that it refuses', async () => {
    const direct = await ownDatabase()
    const start = open(await startPgBouncer(direct), { listen: direct })
    await expect(start).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(
        /statement_timeout; PgBouncer refuses it: set ignore_startup_parameters = statement_timeout/,
      ),
    })
  })

  it('is named at the start with the setting for an address with options', async () => {
    const direct = await emptyPostgres()
    const start = open(await startPgBouncer(direct, IGNORED), { listen: direct })
    await expect(start).rejects.toThrow(
      /unsupported startup parameter.*and options, if the address/,
    )
  })

  it.each(['an address', 'a pool'])('is named where %s has no `listen` beside it', async (what) => {
    const url = await startPgBouncer(await ownDatabase(), IGNORED)
    await expect(open(what === 'a pool' ? postgresPool(url) : url)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('give `listen`, an address that bypasses it'),
    })
  })

  it('is refused at the start in statement mode, with the mode that works', async () => {
    const direct = await ownDatabase()
    await open(direct)
    const url = await startPgBouncer(direct, `${IGNORED}\npool_mode = statement`)
    await expect(open(url, { listen: direct })).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('set pool_mode = transaction in the file of PgBouncer'),
    })
  })

  it.each(['an address', 'a pool'])('serves every call of the stores, by %s', async (what) => {
    const direct = await ownDatabase()
    const url = await startPgBouncer(direct, IGNORED)
    const nodes = [
      await open(what === 'a pool' ? postgresPool(url) : url, { listen: direct }),
      await open(what === 'a pool' ? postgresPool(url) : url, { listen: direct }),
    ]
    const run = randomUUID()
    const results = await Promise.all(
      range(1, 100).map(async (number) => {
        const node = nodes[number % 2] ?? nodes[0]
        const key = `${run} ${number}`
        await node?.sessions.create(key, record)
        await node?.attempts.reserve(key, 1000, 0)
        await node?.notifications.add({ tenant: run, userId: 'ada' }, { ...entry, id: key })
        return node?.sessions.read(key, 0)
      }),
    )
    expect(results).toEqual(results.map(() => record))
  })

  it('lets a message reach the streams of another node', async () => {
    const direct = await ownDatabase()
    const url = await startPgBouncer(direct, IGNORED)
    const [one, other] = [await open(url, { listen: direct }), await open(url, { listen: direct })]
    const received: string[] = []
    await one.bus.subscribe('topic', (message) => void received.push(message))
    await other.bus.publish('topic', 'hello')
    await expect.poll(() => received).toEqual(['hello'])
  })
})
