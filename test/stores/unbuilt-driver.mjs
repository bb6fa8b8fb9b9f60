// Opens a file beside a better-sqlite3 that is loaded and has no native part.
import { createRequire } from 'node:module'
import { sqliteStores } from '@svc/auth/sqlite'

const [, , driver, file] = process.argv
createRequire(import.meta.url)(driver)
const stores = sqliteStores(file)
await stores.check()
await stores.close()
