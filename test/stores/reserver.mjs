// Opens the file, waits for a word, and tells the numbers of its reservations.
import { once } from 'node:events'
import { sqliteStores } from '@svc/auth/sqlite'
import { whenUnlocked } from './when-unlocked.mjs'

const [, , file, count] = process.argv
const stores = sqliteStores(file)
process.send('ready')
await once(process, 'message')
const numbers = []
for (let made = 0; made < Number(count); made += 1) {
  const { number } = await whenUnlocked(async () => stores.attempts.reserve('key', 1000, 0))
  numbers.push(number)
}
process.send(numbers)
await stores.close()
process.disconnect()
