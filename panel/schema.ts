import { sql, type Kysely } from 'kysely'
import type { Migrated } from '@svc/auth'
import type { Database, Tables } from './database.ts'

/** Differences between the databases. */
interface Dialect {
  readonly strict: string
  readonly bigint: string
  /** Collects the texts of a column in one text of JSON. */
  readonly listOf: (column: string) => string
  /** The texts of the JSON in a column, as rows with the column `value`. */
  readonly rowsOf: (column: string) => string
  /** Creates a trigger that runs a statement for each row that is deleted. */
  readonly afterDelete: (table: string, name: string, statement: string) => readonly string[]
  /** Selects the table of versions; no row if it does not exist. */
  readonly hasVersions: string
}

const dialects: Readonly<Record<Database['kind'], Dialect>> = {
  SQLite: {
    strict: ' STRICT',
    bigint: 'INTEGER',
    listOf: (column) => `json_group_array(${column})`,
    rowsOf: (column) => `json_each(${column})`,
    afterDelete: (table, name, statement) => [
      `CREATE TRIGGER ${name} AFTER DELETE ON ${table} BEGIN ${statement}; END`,
    ],
    hasVersions: `SELECT 1 FROM sqlite_schema WHERE name = 'panel_schema'`,
  },
  PostgreSQL: {
    strict: '',
    bigint: 'BIGINT',
    listOf: (column) => `coalesce(json_agg(${column})::text, '[]')`,
    rowsOf: (column) => `json_array_elements_text(${column}::json) AS rows (value)`,
    afterDelete: (table, name, statement) => [
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN ${statement}; RETURN NULL; END $$`,
      `CREATE TRIGGER ${name} AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
    ],
    hasVersions: `SELECT 1 FROM pg_class WHERE oid = to_regclass('panel_schema')`,
  },
}

/**
 * Migrations of the panel's own tables, one list of statements for each version. Append only, and a
 * migration only adds (docs/decisions/019-expand-then-contract.md).
 */
const migrations: readonly ((dialect: Dialect) => readonly string[])[] = [
  ({ strict }) => [
    `CREATE TABLE people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT,
      password_hash TEXT NOT NULL,
      email_verified_at TEXT,
      must_verify_email INTEGER NOT NULL DEFAULT 0
    )${strict}`,
  ],
  () => ['ALTER TABLE people ADD COLUMN two_factor_required INTEGER NOT NULL DEFAULT 0'],
  // Deleting a user deletes the second factor. Files without a version may have these tables.
  ({ strict, bigint }) => [
    `CREATE TABLE IF NOT EXISTS people_two_factor (
      person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
      sealed_secret TEXT NOT NULL,
      last_step ${bigint} NOT NULL
    )${strict}`,
    `CREATE TABLE IF NOT EXISTS people_recovery_codes (
      hash TEXT PRIMARY KEY,
      person TEXT NOT NULL REFERENCES people_two_factor (person) ON DELETE CASCADE
    )${strict}`,
    'CREATE INDEX IF NOT EXISTS people_recovery_codes_person ON people_recovery_codes (person)',
  ],
  ({ strict, bigint }) => [
    `CREATE TABLE people_counts (
      person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      began ${bigint} NOT NULL,
      counted INTEGER NOT NULL,
      PRIMARY KEY (person, kind)
    )${strict}`,
  ],
  // `@svc/auth/totp` keeps the recovery codes of a user in one row with the secret. Nodes of the
  // version before still use the table: a later version drops it, with the trigger, which keeps a
  // code that such a node has taken from being used again.
  ({ listOf, rowsOf, afterDelete }) => [
    `ALTER TABLE people_two_factor ADD COLUMN recovery_codes TEXT NOT NULL DEFAULT '[]'`,
    `UPDATE people_two_factor SET recovery_codes = (SELECT ${listOf('hash')}
      FROM people_recovery_codes WHERE person = people_two_factor.person)`,
    ...afterDelete(
      'people_recovery_codes',
      'people_recovery_codes_used',
      `UPDATE people_two_factor SET recovery_codes = (SELECT ${listOf('value')}
        FROM ${rowsOf('recovery_codes')} WHERE value <> OLD.hash) WHERE person = OLD.person`,
    ),
  ],
  // Of people with several apps, where the store expects it.
  () => ['ALTER TABLE people_two_factor ADD COLUMN devices TEXT'],
  // A version that takes something away names the oldest version that still runs on the tables.
  () => ['ALTER TABLE panel_schema ADD COLUMN oldest INTEGER'],
  () => ['ALTER TABLE people ADD COLUMN language TEXT'],
]

/**
 * Migrates the panel's own tables. Of several nodes that start at once, one does it while the
 * others wait: Kysely's `Migrator` has no lock between the processes of an SQLite file.
 *
 * @throws {Error} The version is unknown, or the database cannot be used.
 */
export async function migratePeople({ kind, alter }: Database): Promise<Migrated> {
  const dialect = dialects[kind]
  const to = migrations.length
  return alter(async (tables) => {
    const exec = async (statement: string) => sql.raw(statement).execute(tables)
    const isVersioned = (await exec(dialect.hasVersions)).rows.length > 0
    const from = await (isVersioned ? versionOf(tables) : versionWithoutRow(kind, tables))
    if (from > to) {
      await refuseTooNew(tables, from)
      return { from, to: from }
    }
    if (!isVersioned) {
      await exec(`CREATE TABLE panel_schema (version INTEGER PRIMARY KEY)${dialect.strict}`)
    }
    for (const step of migrations.slice(from).flatMap((steps) => steps(dialect))) await exec(step)
    if (from < to) await tables.insertInto('panel_schema').values({ version: to }).execute()
    return { from, to }
  })
}

async function versionOf(tables: Kysely<Tables>): Promise<number> {
  const versions = tables.selectFrom('panel_schema').select('version')
  return (await versions.orderBy('version', 'desc').executeTakeFirst())?.version ?? 0
}

/** Refuses newer tables that have lost what this version needs. Others have only more. */
async function refuseTooNew(tables: Kysely<Tables>, version: number): Promise<void> {
  const known = migrations.length
  const newer = tables.selectFrom('panel_schema').where('oldest', '>', known).select('oldest')
  if ((await newer.executeTakeFirst()) !== undefined) throw new Error(tooNew(version, known))
}

/** Derives the version of an SQLite file that is older than the table of versions. */
async function versionWithoutRow(kind: Database['kind'], tables: Kysely<Tables>): Promise<number> {
  if (kind !== 'SQLite') return 0
  const { rows } = await sql<{
    readonly name: string
  }>`SELECT name FROM pragma_table_info('people')`.execute(tables)
  if (rows.length === 0) return 0
  return rows.some(({ name }) => name === 'two_factor_required') ? 2 : 1
}

function tooNew(from: number, to: number): string {
  return `the panel's tables are of version ${from}, and this program knows ${to}: start the newer program, or restore the backup that was made before it`
}
