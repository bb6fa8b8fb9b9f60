// A process with stores of its own. It acts on the first message that it receives, and ends.
import { once } from 'node:events'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'

const [, , name, url = ''] = process.argv
const owner = { tenant: null, userId: 'ada' }
const stores = await (name === 'MySQL' ? mysqlStores(url) : postgresStores(url))
await stores.bus.subscribe('topic', () => undefined)
process.send?.('ready')
const [what] = await once(process, 'message')
if (what === 'mark') await stores.notifications.markAllRead(owner, 20, 1)
await stores.close()
process.disconnect()
