import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runSvc, temporaryFolder, type PanelProcess } from '../support/panel.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'

const environments = {
  SQLite: async () => ({ SVC_DATA: temporaryFolder() }),
  PostgreSQL: async () => ({ DATABASE_URL: await emptyPostgres() }),
} as const

/** Returns the output of a command that ended well. */
async function said(migrate: PanelProcess): Promise<string> {
  expect([await migrate.ended(), migrate.stderr()]).toEqual([0, ''])
  return migrate.stdout()
}

describe('npm run migrate', () => {
  it.each(['SQLite', 'PostgreSQL'] as const)(
    'on %s prints the old and the new version, and does nothing the next time',
    async (kind) => {
      const environment = await environments[kind]()
      const first = await said(runSvc(environment, 'migrate'))
      expect(first).toMatch(/tables of the panel .*: from version 0 to version 5\n/)
      expect(await said(runSvc(environment, 'migrate'))).toMatch(
        /tables of the panel .*: version 5, nothing to do\n/,
      )
    },
  )

  it.each(['SQLite', 'PostgreSQL'] as const)(
    'on %s, run several times at once, does it once',
    async (kind) => {
      const environment = await environments[kind]()
      const all = await Promise.all([1, 2, 3].map(async () => said(runSvc(environment, 'migrate'))))
      expect(all.filter((one) => one.includes('from version 0 to version 5'))).toHaveLength(1)
      expect(all.filter((one) => one.includes('version 5, nothing to do'))).toHaveLength(2)
    },
  )

  it.each(['SQLite', 'PostgreSQL'] as const)(
    'on %s prints the versions of the tables of the service',
    async (kind) => {
      const environment = await environments[kind]()
      expect(await said(runSvc(environment, 'migrate'))).toMatch(
        /tables of the service .*: from version 0 to version [1-9]/,
      )
      expect(await said(runSvc(environment, 'migrate'))).toMatch(
        /service .*: version [1-9].*nothing to do/,
      )
    },
  )

  it('waits for another migration, longer than a request would', async () => {
    const url = await emptyPostgres()
    // The lock of the panel's tables, as another node holds it.
    const held = admin(url, 'SELECT pg_sleep(2) FROM pg_advisory_lock(482670962028)')
    expect(await said(runSvc({ DATABASE_URL: url }, 'migrate'))).toContain(
      'from version 0 to version 5',
    )
    await held
  })

  it('exits with 1 and one line when the tables are newer', async () => {
    const environment = await environments.SQLite()
    await said(runSvc(environment, 'migrate'))
    const file = join(environment.SVC_DATA, 'panel.sqlite')
    const database = openHandle(file)
    database.exec('INSERT INTO panel_schema VALUES (9)')
    database.close()
    const migrate = runSvc(environment, 'migrate')
    expect(await migrate.ended()).toBe(1)
    expect(migrate.stderr()).toBe(
      `SVC_DATA: ${file} cannot be used: the panel's tables are of version 9, and this program knows 5: start the newer program, or restore the backup that was made before it\n`,
    )
  })

  it('exits with 1 and one line without the password when there is no server', async () => {
    const DATABASE_URL = 'postgres://ada:MARKER@127.0.0.1:1/panel'
    const migrate = runSvc({ DATABASE_URL }, 'migrate')
    expect(await migrate.ended()).toBe(1)
    expect(migrate.stderr()).toMatch(
      /^DATABASE_URL: 127\.0\.0\.1:1\/panel cannot be used: .*ECONNREFUSED.*\n$/,
    )
    expect(migrate.stderr()).not.toContain('MARKER')
  })

  it('--help explains the command and does nothing', async () => {
    const help = await said(runSvc({ DATABASE_URL: 'nonsense' }, 'migrate', '--help'))
    for (const word of ['svc migrate', '--config', '--json']) expect(help).toContain(word)
  })
})
