import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PANEL_CONFIG, runSvc, temporaryFolder, type Environment } from '../support/panel.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'
import { svc, type Ran } from '../support/svc.ts'

const environments = {
  SQLite: async () => ({ SVC_DATA: temporaryFolder() }),
  PostgreSQL: async () => ({ DATABASE_URL: await emptyPostgres() }),
} as const

/** Returns the output of a migration that ended well. */
async function migrated(environment: Environment, ...more: readonly string[]): Promise<string> {
  return outputOf(await runSvc(environment, 'migrate', ...more))
}

function outputOf({ code, stdout, stderr }: Ran): string {
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

describe('npm run migrate', () => {
  it.each(['SQLite', 'PostgreSQL'] as const)(
    'on %s prints the old and the new versions of all tables, and does nothing the next time',
    async (kind) => {
      const environment = await environments[kind]()
      const first = await migrated(environment)
      expect(first).toMatch(/tables of the panel .*: from version 0 to version 8\n/)
      expect(first).toMatch(/tables of the service .*: from version 0 to version [1-9]/)
      const next = await migrated(environment)
      expect(next).toMatch(/tables of the panel .*: version 8, nothing to do\n/)
      expect(next).toMatch(/service .*: version [1-9].*nothing to do/)
    },
  )

  it.each(['SQLite', 'PostgreSQL'] as const)(
    'on %s, run several times at once, does it once',
    async (kind) => {
      const environment = await environments[kind]()
      const command = ['--config', PANEL_CONFIG, 'migrate']
      const run = async () => outputOf(await svc(command, { env: environment }))
      const all = await Promise.all([run(), run(), run()])
      expect(all.filter((one) => one.includes('from version 0 to version 8'))).toHaveLength(1)
      expect(all.filter((one) => one.includes('version 8, nothing to do'))).toHaveLength(2)
    },
  )

  it('waits for another migration, longer than a request would', async () => {
    const url = await emptyPostgres()
    // The lock of the panel's tables, as another node holds it.
    const held = admin(url, 'SELECT pg_sleep(2) FROM pg_advisory_lock(482670962028)')
    expect(await migrated({ DATABASE_URL: url })).toContain('from version 0 to version 8')
    await held
  })

  it('exits with 1 and one line when the tables have lost what this version needs', async () => {
    const environment = await environments.SQLite()
    await migrated(environment)
    const file = join(environment.SVC_DATA, 'panel.sqlite')
    const database = openHandle(file)
    database.exec('INSERT INTO panel_schema VALUES (10, 9)')
    database.close()
    const { code, stderr } = await runSvc(environment, 'migrate')
    expect(code).toBe(1)
    expect(stderr).toBe(
      `SVC_DATA: ${file} cannot be used: the panel's tables are of version 10, and this program knows 8: start the newer program, or restore the backup that was made before it\n`,
    )
  })

  it('exits with 1 and one line without the password when there is no server', async () => {
    const DATABASE_URL = 'postgres://ada:MARKER@127.0.0.1:1/panel'
    const { code, stderr } = await runSvc({ DATABASE_URL }, 'migrate')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^DATABASE_URL: 127\.0\.0\.1:1\/panel cannot be used: .*ECONNREFUSED.*\n$/,
    )
    expect(stderr).not.toContain('MARKER')
  })

  it('--help explains the command and does nothing', async () => {
    const help = await migrated({ DATABASE_URL: 'nonsense' }, '--help')
    for (const word of ['svc migrate', '--config', '--json']) expect(help).toContain(word)
  })
})
