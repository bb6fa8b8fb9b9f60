// Opens the file, waits for codes, uses each so many times, and tells which were accepted.
import { once } from 'node:events'
import Database from 'better-sqlite3'
import { totp } from '../../dist/panel/totp.js'

const [, , file, key, now] = process.argv
const database = new Database(file)
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
database.close()
process.disconnect()
