import type { Migrated } from '../../contracts/migrated.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { schemaSql, sqliteMigrations, sqliteSchemaTable, usableVersion } from '../sql/migrations.ts'
import type { SqliteHandle } from './driver.ts'
import { inTransaction } from './savepoint.ts'
import type { SqliteStatement } from './statement.ts'

/**
 * Migrates the tables. Locks and writes nothing when they are up to date.
 *
 * @param place The file or handle, for messages.
 * @throws {ConfigError} The tables are of a newer version, or the handle returns rows in another
 *   form.
 */
export function migrate(handle: SqliteHandle, place: string): Migrated {
  const { from, to } = versionsOf(handle, place)
  if (from === to) return { from, to }
  // Of processes that start together, one creates the tables and the others find them.
  return inTransaction(handle, () => {
    handle.exec(sqliteSchemaTable)
    const version = versionOf(handle, place)
    for (const [index, step] of sqliteMigrations.entries()) {
      if (index < version) continue
      advance(handle, `${step}; INSERT INTO svc_schema (version) VALUES (${index + 1})`)
    }
    return { from: version, to }
  })
}

function advance(handle: SqliteHandle, sql: string): void {
  try {
    handle.exec(sql)
  } catch (cause) {
    const [fault] =
      /\w+ svc_\w+ already exists/.exec(cause instanceof Error ? cause.message : '') ?? []
    if (fault === undefined) throw cause
    const remedy =
      'another program has created it: rename it, or give the stores a file of their own'
    throw new ConfigError(`stores: ${fault}; ${remedy}`, { cause })
  }
}

/**
 * Returns the version of the tables, and the current one. Changes nothing.
 *
 * @param handle `null`: there is no database yet.
 * @throws {ConfigError} The tables are of a newer version.
 */
export function versionsOf(handle: SqliteHandle | null, place = 'the database'): Migrated {
  const to = sqliteMigrations.length
  if (handle === null) return { from: 0, to }
  const known = handle.prepare(
    `SELECT count(*) AS version FROM sqlite_schema WHERE name = 'svc_schema'`,
  )
  return { from: numberOf(known) === 1 ? versionOf(handle, place) : 0, to }
}

function versionOf(handle: SqliteHandle, place: string): number {
  const version = numberOf(handle.prepare(schemaSql.version))
  if (version <= sqliteMigrations.length) return version
  return usableVersion(version, sqliteMigrations, oldestOf(handle), place)
}

function oldestOf(handle: SqliteHandle): string | undefined {
  const row: unknown = handle.prepare(schemaSql.oldest).get()
  return typeof row === 'object' && row && 'value' in row ? String(row.value) : undefined
}

function numberOf(statement: SqliteStatement): number {
  const row = statement.get()
  const version: unknown = typeof row === 'object' && row && 'version' in row ? row.version : null
  if (typeof version === 'number') return version
  throw new ConfigError(
    'stores: the SQLite handle must give rows as objects and integers as numbers',
  )
}
