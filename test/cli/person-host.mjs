// The svc.config of a host on one of the databases, for the commands about a person.
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createPanelAuth, defineConfig } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { fakeUsers } from '@svc/auth/testing'
import { mysqlFactors, postgresFactors, sqliteFactors, totp } from '@svc/auth/totp'
import { createPool } from 'mysql2/promise'
import { hostConfig } from './host-config.mjs'

const opened = {
  async sqlite(place) {
    const database = openSqlite(place)
    return [sqliteStores(database), sqliteFactors(database), () => database.close()]
  },
  async postgres(place) {
    const database = await openPostgres(place)
    return [await postgresStores(database.pool), postgresFactors(database), () => database.end()]
  },
  async mysql(place) {
    const pool = createPool(place)
    return [await mysqlStores(pool), mysqlFactors(pool), async () => pool.end()]
  },
}

/** Lets the test act between the end of the sessions and that of the notifications. */
async function waitForFile(path) {
  while (!existsSync(path)) await setTimeout(10)
}

export const config = defineConfig(async () => {
  const { APP_KEY, KIND, PLACE, REDIS, PREFIX, USERS } = process.env
  const { CANNOT_ERASE, MEANWHILE, WAIT_FOR, FACTOR_OF = '' } = process.env
  const [beside, factors, close] = await opened[KIND](PLACE)
  const users = fakeUsers(JSON.parse(USERS))
  const identify = ({ id, email }) => ({ id: FACTOR_OF + id, email })
  const twoFactor = totp({ issuer: 'Acme', factors, keys: [APP_KEY], identify })
  if (CANNOT_ERASE === 'factor') twoFactor.erase = undefined
  const { deleteOf } = beside.notifications
  if (WAIT_FOR !== undefined)
    beside.notifications.deleteOf = async (owner) => {
      await waitForFile(WAIT_FOR)
      return deleteOf.call(beside.notifications, owner)
    }
  if (CANNOT_ERASE === 'notifications') beside.notifications.deleteOf = undefined
  return {
    auth: createPanelAuth({
      config: hostConfig(APP_KEY),
      stores: REDIS ? await openRedisStores(REDIS, beside, { prefix: PREFIX }) : beside,
      users,
      activity: true,
      impersonation: { allows: () => true },
      twoFactor,
      logger: { warn() {}, error() {} },
    }),
    users: {
      list: () => JSON.parse(USERS),
      async remove({ id }) {
        console.error(`removed ${id}`)
        if (MEANWHILE)
          await beside.notifications.add({ tenant: null, userId: id }, JSON.parse(MEANWHILE))
      },
    },
    close,
  }
})
