import { newMysqlDatabase } from './databases.mjs'
import { startMariadb } from '../scripts/mariadb.mjs'
import { startPostgres } from '../scripts/postgres.mjs'
import { startRedis } from '../scripts/redis.mjs'
import { pinDatabase } from './processes.mjs'
import { measureReads } from './reads.mjs'
import { printTable, tableOf } from './report.mjs'

/**
 * Measures the panel on PostgreSQL, with and without Redis, against one read of SQLite and of each
 * server; and on MariaDB, with the users on SQLite.
 */
export async function measureNodes(job) {
  const postgres = await startPostgres()
  const redis = await startRedis()
  const mariadb = await startMariadb()
  try {
    // On the core of the load, as in the comparison with other libraries.
    for (const { pid } of [postgres, redis, mariadb]) pinDatabase(pid, 1)
    const servers = [
      { name: 'node:http + one SQLite read', file: 'limit.mjs', values: [] },
      {
        name: 'node:http + one PostgreSQL read',
        file: 'limit-postgres.mjs',
        values: [postgres.url],
      },
      { name: 'node:http + one Redis GET', file: 'limit-redis.mjs', values: [redis.url] },
      { name: '@svc/auth, PostgreSQL', file: 'svc.mjs', values: ['', postgres.url] },
      {
        name: '@svc/auth, PostgreSQL and Redis',
        file: 'svc.mjs',
        values: ['', postgres.url, redis.url],
      },
      {
        name: '@svc/auth, MariaDB',
        file: 'svc.mjs',
        values: ['', '', '', await newMysqlDatabase(mariadb.url, 'panel')],
      },
    ]
    return await measureReads({ ...job, servers })
  } finally {
    await mariadb.stop()
    await redis.stop()
    await postgres.stop()
  }
}

/** Prints the results as Markdown, once for each of the three reads. */
export function reportNodes([sqlite, postgres, redis, onPostgres, onRedis, onMariadb]) {
  const panels = [onPostgres, onRedis, onMariadb]
  console.log('\nTo one SQLite read:\n')
  printTable(tableOf([sqlite, postgres, redis, ...panels]))
  console.log('To one PostgreSQL read:\n')
  printTable(tableOf([postgres, ...panels]))
  console.log('To one Redis GET:\n')
  printTable(tableOf([redis, onRedis]))
}
