import { randomBytes } from 'node:crypto'
import { hashing } from '../../rules/limits.ts'
import type { HashParameters } from './hashing.ts'

/** The parsed form of a stored hash. */
export interface StoredHash {
  readonly algorithm: 'argon2' | 'bcrypt'
  /** True when its parameters differ from the current ones. */
  readonly outdated: boolean
}

const parameters = String.raw`m=([1-9]\d{0,6}),t=([1-9]\d?),p=[1-9]\d{0,2}`
const salt = '[A-Za-z0-9+/]{11,86}'
const digest = '[A-Za-z0-9+/]{22,86}'
const argon2 = new RegExp(
  String.raw`^\$argon2(?:id|i|d)\$v=(?:16|19)\$${parameters}\$${salt}\$${digest}$`,
)

// Costs 4 to 14. The last characters of salt and digest have unused bits. When these are set, the
// library answers without hashing, and the short time would reveal it.
const bcrypt =
  /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/**
 * Parses a stored hash; `null` when it is broken, of an unknown kind, or too expensive to verify.
 */
export function readStoredHash(hash: string, today: HashParameters): StoredHash | null {
  if (bcrypt.test(hash)) return { algorithm: 'bcrypt', outdated: true }
  const [, memoryKiB, passes] = argon2.exec(hash) ?? []
  if (memoryKiB === undefined || Number(memoryKiB) > hashing.maxMemoryKiB) return null
  if (Number(passes) > hashing.maxPasses) return null
  return { algorithm: 'argon2', outdated: !hash.startsWith(prefix(today)) }
}

/**
 * Makes a hash that matches no password: verifying against it costs what the current parameters
 * cost.
 */
export function makeDummyHash(today: HashParameters): string {
  return `${prefix(today)}${base64(randomBytes(16))}$${base64(randomBytes(32))}`
}

function prefix({ memoryKiB, passes, lanes }: HashParameters): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$`
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
