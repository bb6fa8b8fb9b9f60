// A node of its own: does what it is told.
import { once } from 'node:events'
import { postgresStores } from '@svc/auth/postgres'

const owner = { tenant: null, userId: 'ada' }
const stores = await postgresStores(process.argv[2] ?? '')
await stores.bus.subscribe('topic', () => undefined)
process.send?.('ready')
const [what] = await once(process, 'message')
if (what === 'mark') await stores.notifications.markAllRead(owner, 20, 1)
await stores.close()
process.disconnect()
