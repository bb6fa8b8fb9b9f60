import { expect, it } from 'vitest'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'

/**
 * The tables after all migrations, by name: the columns in their order, with `?` where NULL is
 * allowed, then the indexes. `key text` compares byte for byte in both databases.
 */
const schema: Readonly<Record<string, readonly string[]>> = {
  svc_activity: [
    'seq integer',
    'owner key text',
    'event key text',
    'occurred_at integer',
    'network key text?',
    'browser key text?',
    'system key text?',
    'primary key (seq)',
    'svc_activity_age (occurred_at)',
    'svc_activity_owner (owner, seq)',
  ],
  svc_attempts: [
    'key key text',
    'number integer',
    'ends_at integer',
    'primary key (key)',
    'svc_attempts_expiry (ends_at)',
  ],
  svc_bells: [
    'owner key text',
    'unread integer',
    'next_seq integer',
    'read_up_to integer',
    'read_up_to_at integer?',
    'primary key (owner)',
  ],
  svc_metadata: ['name key text', 'value key text', 'primary key (name)'],
  svc_notifications: [
    'owner key text',
    'seq integer',
    'id key text',
    'type text',
    'title text',
    'body text?',
    'url text?',
    'created_at integer',
    'read_at integer?',
    'primary key (owner, seq)',
    'svc_notifications_age (created_at)',
    'svc_notifications_id unique (owner, id)',
  ],
  svc_pending_logins: [
    'key key text',
    'tenant key text?',
    'user_id key text',
    'stamp key text',
    'created_at integer',
    'expires_at integer',
    'details key text?',
    'primary key (key)',
    'svc_pending_logins_expiry (expires_at)',
    'svc_pending_logins_owner (user_id, tenant)',
  ],
  svc_schema: ['version integer', 'primary key (version)'],
  svc_sessions: [
    'key key text',
    'tenant key text?',
    'user_id key text',
    'stamp key text',
    'created_at integer',
    'last_seen_at integer',
    'expires_at integer',
    'pending_secret key text?',
    'details key text?',
    'primary key (key)',
    'svc_sessions_expiry (expires_at)',
    'svc_sessions_owner (user_id, tenant)',
  ],
}

/** SQLite compares all text byte for byte, so it has one type where PostgreSQL has two. */
const asInSqlite = (line: string): string => line.replace(' key text', ' text')

it('the migrations of SQLite result in these tables, columns and indexes', async () => {
  expect(await sqliteSchema()).toEqual(
    Object.fromEntries(
      Object.entries(schema).map(([name, lines]) => [name, lines.map(asInSqlite)]),
    ),
  )
})

it('the migrations of PostgreSQL result in the same tables, columns and indexes', async () => {
  expect(await postgresSchema()).toEqual(schema)
})

it('the migrations of MySQL result in the same tables, columns and indexes, and its own', async () => {
  const found = await mysqlSchema()
  const same = Object.keys(schema).map((table) => [
    table,
    found[table]?.filter((line) => line !== 'revision integer'),
  ])
  // MySQL keeps every text as bytes.
  const asInMysql = (line: string): string =>
    line.replace(' text', ' key text').replace('key key', 'key')
  expect(Object.fromEntries(same)).toEqual(
    Object.fromEntries(
      Object.entries(schema).map(([table, lines]) => [table, lines.map(asInMysql)]),
    ),
  )
  const more = Object.keys(found).filter((table) => !(table in schema))
  expect(more).toEqual(['svc_messages'])
})

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly isNullable: boolean
}

interface Index {
  readonly table: string
  /** `null`: the primary key. */
  readonly name: string | null
  readonly isUnique: boolean
  readonly columns: readonly string[]
}

function describeTables(
  columns: readonly Column[],
  indexes: readonly Index[],
): Readonly<Record<string, readonly string[]>> {
  const tables = [...new Set(columns.map(({ table }) => table))].toSorted()
  const linesOf = (table: string): readonly string[] => [
    ...columns.filter((one) => one.table === table).map(describeColumn),
    ...indexes
      .filter((one) => one.table === table)
      .map(describeIndex)
      .toSorted(),
  ]
  return Object.fromEntries(tables.map((table) => [table, linesOf(table)]))
}

function describeColumn({ column, type, isNullable }: Column): string {
  return `${column} ${type}${isNullable ? '?' : ''}`
}

function describeIndex({ name, isUnique, columns }: Index): string {
  const kind = name === null ? 'primary key' : `${name}${isUnique ? ' unique' : ''}`
  return `${kind} (${columns.join(', ')})`
}

async function sqliteSchema() {
  const file = temporaryDatabase()
  await sqliteStores(file).close()
  const handle = closedAfterTest(openHandle(file))
  const columns = handle.prepare(
    `SELECT tables.name AS "table", columns.name AS "column", lower(columns.type) AS type,
       columns."notnull" AS "notNull", columns.pk AS keyNumber
     FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.name LIKE 'svc\\_%' ESCAPE '\\'
     ORDER BY columns.cid`,
  )
  const indexes = handle.prepare(
    `SELECT tables.name AS "table", indexes.name, indexes."unique" AS "isUnique",
       group_concat(columns.name) AS columns
     FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS indexes,
       pragma_index_info(indexes.name) AS columns
     WHERE tables.type = 'table' AND tables.name LIKE 'svc\\_%' ESCAPE '\\' AND indexes.origin = 'c'
     GROUP BY tables.name, indexes.name ORDER BY columns.seqno`,
  )
  const found = columns.all() as (Omit<Column, 'isNullable'> & {
    readonly notNull: number
    readonly keyNumber: number
  })[]
  const keyed = found.filter(({ keyNumber }) => keyNumber > 0)
  const keyOf = (table: string): Index => ({
    table,
    name: null,
    isUnique: true,
    columns: keyed
      .filter((one) => one.table === table)
      .toSorted((one, other) => one.keyNumber - other.keyNumber)
      .map(({ column }) => column),
  })
  const others = indexes.all() as {
    readonly table: string
    readonly name: string
    readonly isUnique: number
    readonly columns: string
  }[]
  return describeTables(
    // A column of a primary key takes no NULL: the tables are STRICT and WITHOUT ROWID.
    found.map(({ table, column, type, notNull, keyNumber }) => ({
      table,
      column,
      type,
      isNullable: notNull === 0 && keyNumber === 0,
    })),
    [
      ...[...new Set(keyed.map(({ table }) => table))].map(keyOf),
      ...others.map(({ table, name, isUnique, columns: names }) => ({
        table,
        name,
        isUnique: isUnique === 1,
        columns: names.split(','),
      })),
    ],
  )
}

async function postgresSchema() {
  const url = await emptyPostgres()
  await (await postgresStores(url)).close()
  const columns = await admin(
    url,
    `SELECT table_name, column_name, is_nullable,
       CASE data_type WHEN 'bigint' THEN 'integer' WHEN 'text' THEN
         CASE collation_name WHEN 'C' THEN 'key text' ELSE 'text' END
       ELSE data_type END
     FROM information_schema.columns
     WHERE table_schema = current_schema() ORDER BY ordinal_position`,
  )
  const indexes = await admin(
    url,
    `SELECT tables.relname, CASE WHEN indisprimary THEN NULL ELSE indexes.relname END, indisunique,
       (SELECT string_agg(pg_get_indexdef(indexrelid, place, true), ',' ORDER BY place)
        FROM generate_series(1, indnkeyatts) AS place)
     FROM pg_index
       JOIN pg_class AS indexes ON indexes.oid = indexrelid
       JOIN pg_class AS tables ON tables.oid = indrelid
     WHERE tables.relnamespace = current_schema()::regnamespace`,
  )
  return describeRows(columns, indexes)
}

async function mysqlSchema() {
  const url = await emptyMysql()
  await (await mysqlStores(url)).close()
  const columns = await mysqlAdmin(
    url,
    `SELECT table_name, column_name, is_nullable,
       CASE WHEN data_type IN ('varbinary', 'mediumblob') THEN 'key text'
         WHEN data_type = 'bigint' THEN 'integer' ELSE data_type END
     FROM information_schema.columns
     WHERE table_schema = DATABASE() ORDER BY ordinal_position`,
  )
  const indexes = await mysqlAdmin(
    url,
    `SELECT table_name, NULLIF(index_name, 'PRIMARY'), MIN(non_unique) = 0,
       GROUP_CONCAT(column_name ORDER BY seq_in_index)
     FROM information_schema.statistics
     WHERE table_schema = DATABASE() GROUP BY table_name, index_name`,
  )
  return describeRows(columns, indexes)
}

type Rows = readonly (readonly unknown[])[]

/** Describes what the catalogue of a server says. */
function describeRows(columns: Rows, indexes: Rows) {
  return describeTables(
    columns.map(([table, column, isNullable, type]) => ({
      table: String(table),
      column: String(column),
      type: String(type),
      isNullable: isNullable === 'YES',
    })),
    indexes.map(([table, name, isUnique, names]) => ({
      table: String(table),
      name: typeof name === 'string' ? name : null,
      isUnique: Number(isUnique) === 1,
      columns: String(names).split(','),
    })),
  )
}
