import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { postgresDatabase } from '../../build/panel/postgres-database.js'
import { admin, emptyPostgres } from '../support/postgres.ts'

it('changes nothing and ends no process when the connection breaks in a migration', async () => {
  const url = await emptyPostgres()
  const database = await postgresDatabase(url, () => undefined)
  onTestFinished(async () => database.close())
  const cut = database.alter(async (tables) => {
    await sql`CREATE TABLE made (number INTEGER)`.execute(tables)
    await admin(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'panel' AND datname = current_database()`,
    )
    await sql`CREATE TABLE other (number INTEGER)`.execute(tables)
  })
  await expect(cut).rejects.toThrow()
  await sql`CREATE TABLE made (number INTEGER)`.execute(database.tables)
})
