// node ringer.mjs FILE NAME COUNT: waits for a message, then sends COUNT notifications and marks some.
import { once } from 'node:events'
import { sqliteStores } from '@svc/auth/sqlite'

const [, , file, name, count] = process.argv
const stores = sqliteStores(file)
const { notifications } = stores
const owner = { tenant: null, userId: 'ada' }
const entry = { type: 'rung', title: 'Rung', body: null, url: null }
process.send('ready')
await once(process, 'message')
for (let number = 0; number < Number(count); number += 1) {
  await notifications.add(owner, { ...entry, id: `${name} ${number}`, createdAt: number })
  if (number % 3 === 0) await notifications.markRead(owner, `${name} ${number}`, number)
  if (number % 5 === 0) await notifications.markRead(owner, `a ${number}`, number)
  if (number % 20 === 19) await notifications.markAllRead(owner, 20, number)
}
await stores.close()
process.disconnect()
