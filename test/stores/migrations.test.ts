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
    ['ff05f6e1f755b88e', '009565193a744c67', 'dc1ba45b8431ab16'],
  ],
])('the migrations of %s are those that releases have run', (_database, migrations, digests) => {
  expect(migrations.map(digestOf)).toEqual(digests)
})

// docs/decisions/019-expand-then-contract.md: the release before runs on the same tables.
it.each([
  ['SQLite', sqliteMigrations],
  ['PostgreSQL', postgresMigrations],
  ['MySQL', mysqlMigrations.flat()],
])('the migrations of %s only add what an older release need not know', (_database, migrations) => {
  expect(migrations.flatMap(statementsIn).filter((sql) => !isExpanding(sql))).toEqual([])
})

it.each([
  'ALTER TABLE svc_sessions DROP COLUMN stamp',
  'ALTER TABLE svc_sessions RENAME COLUMN stamp TO mark',
  'ALTER TABLE svc_sessions ADD COLUMN place TEXT NOT NULL',
  'ALTER TABLE svc_sessions ALTER COLUMN tenant SET NOT NULL',
  'ALTER TABLE svc_sessions MODIFY tenant VARBINARY(10)',
  'CREATE UNIQUE INDEX svc_sessions_once ON svc_sessions (user_id)',
  'DROP TABLE svc_bells',
  `UPDATE svc_sessions SET stamp = ''`,
])('a migration with "%s" counts as more than adding', (sql) => {
  expect(isExpanding(sql)).toBe(false)
})

function statementsIn(sql: string): readonly string[] {
  const created = new Set(
    Array.from(sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g), ([, table]) => table),
  )
  const ofNewTable = (text: string) => created.has(/ON (\w+) \(/.exec(text)?.[1])
  return sql
    .split(';')
    .map((text) => text.trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '' && !(text.startsWith('CREATE UNIQUE INDEX') && ofNewTable(text)))
}

/** Returns `true` for a statement after which every statement of the release before does the same. */
function isExpanding(sql: string): boolean {
  if (/^CREATE (?:TABLE|INDEX)\b/.test(sql)) return true
  const isColumn = /^ALTER TABLE \w+ ADD COLUMN \w+ [^,]+$/.test(sql)
  return isColumn && (!/NOT NULL/.test(sql) || /DEFAULT/.test(sql))
}

function digestOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex').slice(0, 16)
}
