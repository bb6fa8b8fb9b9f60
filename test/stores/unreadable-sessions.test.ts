import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'
import { startPostgres } from '../../scripts/postgres.mjs'
import { makeReplica } from '../../scripts/redis.mjs'
import { closedAfterTest, stoppedAfterTest } from '../support/after-test.ts'
import { loggedIn } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { admin, postgresWithRole } from '../support/postgres.ts'
import { redisOfTest } from '../support/redis.ts'
import { startService } from '../support/service.ts'

async function withSession(stores: Stores) {
  const una = await loggedIn(await startService({ stores: closedAfterTest(stores) }))
  return async () => (await una.get(USER)).status
}

it('a session is unavailable, and has not ended, while row level security hides it', async () => {
  const { owner, url } = await postgresWithRole()
  const statusOfUser = await withSession(await postgresStores(url, { migrate: false }))
  expect(await statusOfUser()).toBe(200)
  await admin(owner, 'ALTER TABLE svc_sessions ENABLE ROW LEVEL SECURITY')
  expect(await statusOfUser()).toBe(503)
  await admin(owner, 'CREATE POLICY other ON svc_sessions USING (FALSE)')
  expect(await statusOfUser()).toBe(503)
  await admin(owner, 'CREATE POLICY everything ON svc_sessions USING (TRUE)')
  expect(await statusOfUser()).toBe(200)
})

it('a session is unavailable on a replica of PostgreSQL, where one that ended may still exist', async () => {
  const server = stoppedAfterTest(await startPostgres())
  const statusOfUser = await withSession(await postgresStores(server.url))
  expect(await statusOfUser()).toBe(200)
  await server.halt()
  writeFileSync(join(server.data, 'standby.signal'), '')
  await server.resume()
  await expect.poll(async () => admin(server.url, 'SELECT pg_is_in_recovery()')).toEqual([[true]])
  expect([await statusOfUser(), await statusOfUser()]).toEqual([503, 503])
  await admin(server.url, 'SELECT pg_promote()')
  await expect.poll(statusOfUser, { timeout: 5000 }).toBe(200)
})

it('a session is unavailable on a replica of Redis, where one that ended may still exist', async () => {
  const [master, server] = [await redisOfTest(), await redisOfTest()]
  const statusOfUser = await withSession(await openRedisStores(server.url, memoryStores()))
  await makeReplica(server.port, master.port)
  // The replica does not have the session: without its refusal, the answer would be 401.
  await expect.poll(statusOfUser, { timeout: 5000 }).toBe(503)
  expect([await statusOfUser(), await statusOfUser()]).toEqual([503, 503])
})
