import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { mysqlMigrations } from '../../build/src/stores/mysql/tables.js'
import { postgresMigrations, sqliteMigrations } from '../../build/src/stores/sql/migrations.js'

// A release has run these migrations: add a digest for a new one, and change none.
it.each([
  [
    'SQLite',
    sqliteMigrations,
    [
      'ebb35d5f2d2a4d06',
      '839c054289e74dae',
      '99bbd5af3442e3f5',
      'cdb4a21066b3ffc4',
      'ce8b210b21bd7cef',
    ],
  ],
  [
    'PostgreSQL',
    postgresMigrations,
    [
      '974fe8af3d9aa517',
      'ac869b832c523f18',
      '69a9fd056e84f615',
      '16911c0317d274dd',
      '260528c8aea79499',
    ],
  ],
  [
    'MySQL',
    mysqlMigrations.map((statements) => statements.join(';')),
    ['ff05f6e1f755b88e', '009565193a744c67', '9344f5664a962ca2'],
  ],
])('the migrations of %s are those that releases have run', (_database, migrations, digests) => {
  expect(migrations.map(digestOf)).toEqual(digests)
})

function digestOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex').slice(0, 16)
}
