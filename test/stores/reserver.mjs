// Opens the file, waits for a word, and tells the numbers of its reservations.
import { once } from 'node:events'
import { sqliteStores } from '@svc/auth/sqlite'

const [, , file, count] = process.argv
const stores = sqliteStores(file)
process.send('ready')
await once(process, 'message')
const numbers = []
for (let made = 0; made < Number(count); made += 1) {
  numbers.push((await stores.attempts.reserve('key', 1000, 0)).number)
}
process.send(numbers)
await stores.close()
process.disconnect()
