// node ringer.mjs FILE NAME COUNT: waits for a message, then sends COUNT notifications and marks some.
import { once } from 'node:events'
import { sqliteStores } from '@svc/auth/sqlite'
import { whenUnlocked } from './when-unlocked.mjs'

const [, , file, name, count] = process.argv
const stores = sqliteStores(file)
const { notifications } = stores
const owner = { tenant: null, userId: 'ada' }
const entry = { type: 'rung', title: 'Rung', body: null, url: null }
process.send('ready')
await once(process, 'message')
for (let number = 0; number < Number(count); number += 1) {
  const id = `${name} ${number}`
  const writes = [
    async () => notifications.add(owner, { ...entry, id, createdAt: number }),
    number % 3 === 0 && (async () => notifications.markRead(owner, id, number)),
    number % 5 === 0 && (async () => notifications.markRead(owner, `a ${number}`, number)),
    number % 20 === 19 && (async () => notifications.markAllRead(owner, 20, number)),
  ]
  for (const write of writes) if (write) await whenUnlocked(write)
}
await stores.close()
process.disconnect()
