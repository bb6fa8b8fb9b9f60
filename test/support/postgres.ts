import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

let database: Promise<string> | undefined

/**
 * The address of an empty schema in a database of this file's own: what files tell each other by NOTIFY stays apart
 * by the database, and what tests store by the schema.
 */
export async function emptyPostgres(): Promise<string> {
  database ??= createDatabase()
  const url = new URL(await database)
  const schema = `s${randomUUID()}`
  await admin(url.href, `CREATE SCHEMA "${schema}"`)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href
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

async function createDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `file_${randomUUID()}`
  await admin(url.href, `CREATE DATABASE "${name}"`)
  url.pathname = name
  return url.href
}
