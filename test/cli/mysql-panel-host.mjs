// The svc.config of the reference panel whose sessions are in MySQL, as node.mjs starts it.
import { defineConfig } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { readSettings } from '../../build/panel/environment.js'
import { openPanel } from '../../build/panel/panel.js'

export const config = defineConfig(async () => {
  const stores = await mysqlStores(process.env.MYSQL_URL)
  const { auth, users, storage } = await openPanel(readSettings(process.env), { stores })
  return { auth, users, close: storage.close }
})
