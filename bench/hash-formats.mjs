// Measures how long the hashes of other systems take to verify, against a hash of this service.
import { randomBytes } from 'node:crypto'
import { hashPassword } from '@svc/auth'
import { aspNetIdentity, betterAuth, django, payload, werkzeug, wordpress } from '@svc/auth/hashes'
import { createPasswords } from '../build/src/core/passwords/passwords.js'

const HELP = `Usage: node bench/hash-formats.mjs [--rounds N]

Prints the median time of one verification for each kind of stored hash, and its ratio to that of
a current hash in the same rounds.
  --rounds N   number of rounds (default: 7)`

const hex = (bytes) => randomBytes(bytes).toString('hex')
const base64 = (bytes) => randomBytes(bytes).toString('base64')
const KINDS = {
  'Better Auth, Lucia: scrypt, N 16384, r 16': `${hex(16)}:${hex(64)}`,
  'AdonisJS, Werkzeug: scrypt, N 16384, r 8': `scrypt:16384:8:1$salt$${hex(64)}`,
  'Werkzeug 3: scrypt, N 32768, r 8': `scrypt:32768:8:1$salt$${hex(64)}`,
  'Django 5.2: PBKDF2, 1,000,000 iterations': `pbkdf2_sha256$1000000$salt$${base64(32)}`,
  'ASP.NET Core 8: PBKDF2, 100,000 of SHA-512': aspNet(2, 100_000),
  'Payload 3, new: PBKDF2, 600,000 iterations': `${hex(32)}:pbkdf2-sha256-v1:${hex(32)}`,
  'Payload, passport-local-mongoose: 16 times 25,000': `${hex(32)}:${hex(512)}`,
  'WordPress before 6.8: phpass, 8,192 of MD5': `$P$B${'a'.repeat(30)}`,
}

if (process.argv.includes('--help')) {
  console.log(HELP)
  process.exit()
}
const at = process.argv.indexOf('--rounds')
const rounds = at === -1 ? 7 : Number(process.argv[at + 1])
const formats = [betterAuth, django, werkzeug, aspNetIdentity, payload, wordpress]
const passwords = createPasswords({ concurrency: 1, formats })
const slot = passwords.tryAcquire()
const hashes = { 'this service: argon2id': await hashPassword('another password'), ...KINDS }
const times = Object.fromEntries(Object.keys(hashes).map((kind) => [kind, []]))
for (let round = 0; round <= rounds; round += 1) {
  for (const [kind, hash] of Object.entries(hashes)) {
    const began = performance.now()
    const { outcome } = await slot.verify('a password', hash)
    if (outcome !== 'mismatch') throw new Error(`${kind}: ${outcome}`)
    // The first round loads the algorithms.
    if (round > 0) times[kind].push(performance.now() - began)
  }
}
passwords.close()
const [own, ...others] = Object.entries(times).map(([kind, all]) => [kind, median(all)])
for (const [kind, ms] of [own, ...others])
  console.log(`${kind.padEnd(52)} ${ms.toFixed(1).padStart(7)} ms ${(ms / own[1]).toFixed(1)}`)

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
}

function aspNet(digest, iterations) {
  const header = Buffer.alloc(13)
  header[0] = 1
  header.writeUInt32BE(digest, 1)
  header.writeUInt32BE(iterations, 5)
  header.writeUInt32BE(16, 9)
  return Buffer.concat([header, randomBytes(48)]).toString('base64')
}
