// Writes until it is killed, and tells the number of a write as soon as it is confirmed.
import { writeSync } from 'node:fs'
import { sqliteStores } from '@svc/auth/sqlite'

const { sessions, attempts, notifications } = sqliteStores(process.argv[2])
const record = {
  tenant: null,
  userId: 'ada',
  stamp: '',
  createdAt: 0,
  lastSeenAt: 0,
  expiresAt: 9,
  pendingSecret: null,
  details: null,
}
const entry = { type: 'written', title: 'Written', body: null, url: null, createdAt: 0 }

for (let number = 1; ; number += 1) {
  await sessions.create(`key ${number}`, record)
  await attempts.reserve('key', 1000, 0)
  await notifications.add(record, { ...entry, id: `entry ${number}` })
  writeSync(1, `${number}\n`)
}
