// Opens the database, waits for codes, uses each so many times, and tells which were accepted.
import { once } from 'node:events'
import { postgresDatabase } from '../../build/panel/postgres-database.js'
import { sqliteDatabase } from '../../build/panel/sqlite-database.js'
import { totp } from '../../build/panel/totp.js'

const [, , address, key, now] = process.argv
const database = address.startsWith('postgres:')
  ? await postgresDatabase(address, console.error)
  : sqliteDatabase(address)
const binding = totp(database, {
  keys: [key],
  issuer: '',
  isRequired: () => false,
  clock: { now: () => Number(now) },
})
process.send('ready')
const [{ person, codes, times }] = await once(process, 'message')
const accepted = []
for (const code of codes) {
  for (let use = 0; use < times; use += 1) {
    if (await binding.verify(person, code)) accepted.push(code)
  }
}
process.send(accepted)
await database.close()
process.disconnect()
