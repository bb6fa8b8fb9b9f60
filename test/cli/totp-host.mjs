// The svc.config of a host that binds `@svc/auth/totp`.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { sqliteFactors, totp } from '@svc/auth/totp'
import { sqliteUsers } from '@svc/auth/users'
import { hostConfig } from './host-config.mjs'

export const config = defineConfig(() => {
  const { APP_KEY: key, FILE, LAZY, REQUIRED_FROM, DEVICES, MISSING } = process.env
  const database = openSqlite(FILE)
  const users = sqliteUsers(database, {
    table: 'users',
    columns: { id: 'id', email: 'email', passwordHash: 'password' },
  })
  const auth = createPanelAuth({
    config: hostConfig(key),
    stores: sqliteStores(database),
    users,
    twoFactor: {
      ...totp({
        issuer: 'Acme Panel',
        factors: sqliteFactors(database, { migrate: LAZY === 'yes', devices: DEVICES === 'yes' }),
        keys: [key],
        isRequiredFor: ({ id }) => id === '2',
        ...(REQUIRED_FROM && { requiredFrom: new Date(REQUIRED_FROM) }),
      }),
      ...(MISSING && { ready: () => Promise.reject(new Error(MISSING)) }),
    },
  })
  return { auth, users, close: () => database.close() }
})
