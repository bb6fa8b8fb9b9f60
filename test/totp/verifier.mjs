// Opens the database, waits for codes, uses each so many times, and tells which were accepted.
import { once } from 'node:events'
import { openSqlite } from '@svc/auth/sqlite'
import { postgresFactors, sqliteFactors, totp } from '@svc/auth/totp'
import pg from 'pg'

const [, , address, key, now] = process.argv
const pool = address.startsWith('postgres:') ? new pg.Pool({ connectionString: address }) : null
const binding = totp({
  keys: [key],
  issuer: 'Acme Panel',
  factors: pool === null ? sqliteFactors(openSqlite(address)) : postgresFactors(pool),
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
await pool?.end()
process.disconnect()
