// Opens the stores of a server and tells how that ended. The authorities that Node trusts are those
// of its start.
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'

const openings = {
  MariaDB: mysqlStores,
  PostgreSQL: postgresStores,
  Redis: (url) => openRedisStores(url, memoryStores()),
}

const [, , server, url] = process.argv
try {
  const stores = await openings[server](url)
  await stores.close()
  console.log('opened')
} catch (error) {
  console.log(`${error.name} ${error.message}`)
}
process.exit()
