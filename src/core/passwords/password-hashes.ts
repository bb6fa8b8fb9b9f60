import { randomBytes } from 'node:crypto'
import type { HashParameters } from './hashing.ts'

/** What a stored hash says about itself. */
export interface StoredHash {
  readonly algorithm: 'argon2' | 'bcrypt'
  /** It is not what today's parameters would make. */
  readonly outdated: boolean
}

// More than this in a stored hash would hold the hashing process for seconds, or take its memory.
const most = { memoryKiB: 1024 * 1024, passes: 20 } as const

const parameters = String.raw`m=([1-9]\d{0,6}),t=([1-9]\d?),p=[1-9]\d{0,2}`
const salt = '[A-Za-z0-9+/]{11,86}'
const digest = '[A-Za-z0-9+/]{22,86}'
const argon2 = new RegExp(
  String.raw`^\$argon2(?:id|i|d)\$v=(?:16|19)\$${parameters}\$${salt}\$${digest}$`,
)

// Costs 4 to 14. The last characters of salt and digest have unused bits; where these are set the
// library says "no" at once, which would be too quick.
const bcrypt =
  /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/** Reads the form of a stored hash; `null` when it is broken, unknown, or too dear to be verified. */
export function readStoredHash(hash: string, today: HashParameters): StoredHash | null {
  if (bcrypt.test(hash)) return { algorithm: 'bcrypt', outdated: true }
  const [, memoryKiB, passes] = argon2.exec(hash) ?? []
  if (memoryKiB === undefined || Number(memoryKiB) > most.memoryKiB) return null
  if (Number(passes) > most.passes) return null
  return { algorithm: 'argon2', outdated: !hash.startsWith(prefix(today)) }
}

/** Makes a hash of nobody's password: verifying against it costs what today's parameters cost. */
export function makeDummyHash(today: HashParameters): string {
  return `${prefix(today)}${base64(randomBytes(16))}$${base64(randomBytes(32))}`
}

function prefix({ memoryKiB, passes, lanes }: HashParameters): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$`
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
