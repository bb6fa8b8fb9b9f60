import { createConnection } from 'mysql2/promise'
import pg from 'pg'

/** Creates a database on a PostgreSQL. @returns its URL. */
export async function newPostgresDatabase(url, name) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return new URL(name, url).href
}

/** Creates a database on a MariaDB. @returns its URL. */
export async function newMysqlDatabase(url, name) {
  const connection = await createConnection(url)
  await connection.query(`CREATE DATABASE ${name}`)
  await connection.end()
  return new URL(name, url).href
}
