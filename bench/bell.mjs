// Compares the bell of one user with few and with many entries, on SQLite as a panel uses it:
// list and count, count, mark one, mark all.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { sqliteStores } from '@svc/auth/sqlite'

const FEW = 20
const LISTED = 20
const TARGET = 3
const ROUNDS = 400
const NOW = 1_800_000_000_000
const owner = { tenant: null, userId: 'ada' }

// Reads are too short to be timed one by one.
const steps = {
  'list + count': {
    times: 50,
    async run({ notifications }) {
      await notifications.latest(owner, LISTED)
      await notifications.unreadCount(owner)
    },
  },
  count: { times: 200, run: ({ notifications }) => notifications.unreadCount(owner) },
  'mark one': {
    times: 1,
    before: (bell, round) => round % FEW === 0 && bell.makeUnread(),
    // Far apart, and each of the few once before they are unread again.
    run: ({ notifications, entries }, round) =>
      notifications.markRead(owner, idOf((round * 7919) % entries), NOW),
  },
  'mark all': {
    times: 1,
    before: (bell) => bell.makeUnread(),
    run: ({ notifications }) => notifications.markAllRead(owner, LISTED, NOW),
  },
}

const { values: options } = parseArgs({
  options: { entries: { type: 'string', default: '1000000' }, help: { type: 'boolean' } },
})
const many = Number(options.entries)

if (options.help) {
  console.log(`Usage: node bench/bell.mjs [--entries N]

Compares the bell of a user who has N entries (default 1000000), all unread, with that of one who has
${FEW}. Both are in files in the folder for temporary files, which are removed. Build first: npm run
build:code. Exit code 1 when a step costs more than ${TARGET} times as much with N entries.`)
} else if (Number.isSafeInteger(many) && many >= FEW) {
  await compare()
} else {
  console.error(`--entries: a whole number from ${FEW} on`)
  process.exitCode = 2
}

async function compare() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bell-'))
  const bells = []
  try {
    for (const entries of [FEW, many])
      bells.push(await openBell(join(folder, `${bells.length}.db`), entries))
    for (const name of Object.keys(steps)) {
      const [few, lots] = await medians(name, bells)
      const ratio = lots / few
      const verdict = ratio > TARGET ? `over ${TARGET}` : 'ok'
      console.log(
        `${name.padEnd(12)}  ${FEW}: ${inMs(few)}  ${many}: ${inMs(lots)}  ratio ${ratio.toFixed(2)}  ${verdict}`,
      )
      if (ratio > TARGET) process.exitCode = 1
    }
  } finally {
    for (const bell of bells) await bell.close()
    rmSync(folder, { recursive: true })
  }
}

async function openBell(file, entries) {
  const database = new Database(file)
  await fill(database, entries)
  const stores = sqliteStores(file)
  const recount = database.prepare(
    'UPDATE svc_bells SET unread = ?, read_up_to = 0, read_up_to_at = NULL',
  )
  const unmark = database.prepare(
    'UPDATE svc_notifications SET read_at = NULL WHERE owner = ? AND seq > ?',
  )
  const key = database.prepare('SELECT owner FROM svc_bells').pluck().get()
  return {
    entries,
    notifications: stores.notifications,
    /** Makes the latest unread again; of the many, no other is marked twice. */
    makeUnread() {
      recount.run(entries)
      unmark.run(key, entries - FEW)
    },
    async close() {
      await stores.close()
      database.close()
    },
  }
}

// Few transactions: a million commits would wait for the disk.
async function fill(database, entries) {
  const { notifications } = sqliteStores(database)
  for (let number = 0; number < entries; number += 1) {
    if (number % 100_000 === 0) database.exec('BEGIN')
    await notifications.add(owner, entryOf(number))
    if (number % 100_000 !== 99_999 && number !== entries - 1) continue
    database.exec('COMMIT')
    console.error(`sent ${number + 1} of ${entries}`)
  }
}

function entryOf(number) {
  return {
    id: idOf(number),
    type: 'invoice.paid',
    title: `Invoice ${number} has been paid`,
    body: 'The customer has paid the whole amount; nothing is left to be done.',
    url: `/invoices/${number}`,
    createdAt: NOW + number,
  }
}

function idOf(number) {
  return `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
}

// Alternates, so that other load on the machine affects both.
async function medians(name, bells) {
  console.error(`measuring ${name}`)
  const taken = bells.map(() => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, bell] of bells.entries()) taken[index].push(await timed(name, bell, round))
  }
  return taken.map((samples) => samples.toSorted((a, b) => a - b)[ROUNDS / 2])
}

async function timed(name, bell, round) {
  const { times, before, run } = steps[name]
  before?.(bell, round)
  const start = performance.now()
  for (let time = 0; time < times; time += 1) await run(bell, round)
  return (performance.now() - start) / times
}

function inMs(milliseconds) {
  return `${milliseconds.toFixed(4)} ms`
}
