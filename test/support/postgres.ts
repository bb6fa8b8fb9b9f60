import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { migratePostgres } from '@svc/auth/postgres'
import { freshPrefix } from './redis.ts'

let database: Promise<string> | undefined
let emptied: string | undefined

/**
 * The address of an empty schema in a database of this file's own: what files tell each other by NOTIFY stays apart
 * by the database, and what tests store by the schema.
 */
export async function emptyPostgres(): Promise<string> {
  database ??= createPostgres()
  const url = new URL(await database)
  const schema = `s${randomUUID()}`
  await admin(url.href, `CREATE SCHEMA "${schema}"`)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href
}

/**
 * Removes every row from one schema of this file, and creates it with the first call. To create tables takes longer
 * than most tests.
 *
 * @returns its address.
 */
export async function emptiedPostgres(): Promise<string> {
  emptied ??= await emptyPostgres()
  await admin(emptied, EMPTYING)
  return emptied
}

const EMPTYING = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema AND tablename <> 'svc_schema'
  LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$`

/** Opens a pool as a host makes it, until the test has finished. */
export function postgresPool(connectionString: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString, ...options })
  onTestFinished(async () => pool.end())
  return pool
}

/** Runs statements on a connection of their own. */
export async function admin(url: string, sql: string): Promise<readonly unknown[][]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows
  } finally {
    await client.end()
  }
}

/** Creates an empty database on the PostgreSQL of the run. @returns its address. */
export async function createPostgres(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `file_${randomUUID()}`
  await admin(url.href, `CREATE DATABASE "${name}"`)
  url.pathname = name
  return url.href
}

/** Creates the tables of one role, and another that may use them. */
export async function postgresWithRole() {
  const owner = await createPostgres()
  await migratePostgres(owner)
  const role = `role_${freshPrefix().replaceAll(/\W/g, '')}`
  await admin(owner, `CREATE ROLE ${role} LOGIN PASSWORD 'password'`)
  onTestFinished(async () => void (await admin(owner, `DROP OWNED BY ${role}; DROP ROLE ${role}`)))
  await admin(
    owner,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
     GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
  )
  const url = new URL(owner)
  url.username = role
  url.password = 'password'
  return { owner, url: url.href, role }
}
