import { randomBytes } from 'node:crypto'
import { hashing } from '../../rules/limits.ts'
import { isAffordable, workOf } from './hash-work.ts'
import type { DerivedKey, EncodedHash, HashFormat } from '../../contracts/hash-format.ts'
import type { HashParameters, VerifyingJob } from './hashing.ts'

/** The parsed form of a stored hash. */
export interface StoredHash {
  /** The format and the algorithm; all hashes with the current parameters have one kind. */
  readonly kind: string
  /** True when its algorithm or parameters differ from the current ones. */
  readonly outdated: boolean
  /** The work of its verification; comparable within a kind. */
  readonly units: number
  /**
   * Returns the job that verifies this password.
   *
   * @throws {unknown} The host's own format cannot prepare it.
   */
  job(password: string): VerifyingJob
}

// Without a version, it is version 16, as argon2 wrote it before version 19 was there.
const argon2 =
  /^\$argon2(?:id|i|d)(?:\$v=(?:16|19))?\$(?<parameters>[^$]+)\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<digest>[A-Za-z0-9+/]{22,86})$/

/**
 * The parameters of argon2. The PHC string format names an order, which node-argon2 0.45 does not
 * keep. The name of a key and the associated data are at most 8 and 32 bytes.
 */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  m: /^[1-9]\d{0,6}$/,
  t: /^[1-9]\d?$/,
  p: /^[1-9]\d{0,2}$/,
  keyid: /^[A-Za-z0-9+/]{1,11}$/,
  data: /^[A-Za-z0-9+/]{1,43}$/,
}

// Costs 4 to 14. The last characters of salt and digest have unused bits. When these are set, the
// library answers without hashing, and the short time would reveal it.
const bcrypt =
  /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/** The form of hashes that this service and most others store. */
const standard: HashFormat = {
  name: 'standard',
  read: (hash) => ({ algorithm: hash.startsWith('$argon2') ? 'argon2' : 'bcrypt', hash }),
}

/**
 * Parses a stored hash; `null` when it is broken, of an unknown kind, or too expensive to verify.
 *
 * @param formats Those of other systems. The first that can parse the hash decides, before the
 *   form of this service: another system may have put more than the password into bcrypt.
 */
export function readStoredHash(
  hash: string,
  today: HashParameters,
  formats: readonly HashFormat[] = [],
): StoredHash | null {
  for (const format of [...formats, standard]) {
    const stored = attempted(() => readAs(format, hash, today))
    if (stored !== null) return stored
  }
  return null
}

/**
 * Returns `null` for what throws. A format of the host meets every hash of the table, also those
 * that it does not expect. An error would make the login 503, which an unknown email never is.
 */
export function attempted<Result>(step: () => Result): Result | null {
  try {
    return step()
  } catch {
    return null
  }
}

function readAs(format: HashFormat, hash: string, today: HashParameters): StoredHash | null {
  const read = format.read(hash)
  if (read === null) return null
  const prepare = (password: string): string => format.prepare?.(password, hash) ?? password
  if ('hash' in read) {
    // Others are renewed in any case: they cannot be read once their format is not configured.
    const current = format === standard ? prefix(today) : null
    return isEncoded(read) ? encodedHash(read, prepare, { format, current }) : null
  }
  if (!isAffordable(read)) return null
  const job = (password: string): VerifyingJob => ({ kind: 'derive', password, stored: read })
  return {
    kind: kindOf(format, read),
    outdated: true,
    units: workOf(job('')).units,
    job: (password) => job(prepare(password)),
  }
}

function encodedHash(
  read: EncodedHash,
  prepare: (password: string) => string,
  { format, current }: { readonly format: HashFormat; readonly current: string | null },
): StoredHash {
  const { algorithm, hash, secret } = read
  const outdated = current === null || !hash.startsWith(current)
  // PHP and crypt(3), which write this prefix, read a C string. All others count NUL as a byte.
  const endsAtNul = hash.startsWith('$2y$')
  const job = (password: string): VerifyingJob => ({
    kind: 'verify',
    algorithm,
    password,
    hash,
    ...(secret !== undefined && { secret }),
  })
  return {
    kind: outdated ? kindOf(format, read) : 'current',
    outdated,
    units: workOf(job('')).units,
    job: (password) => job(endsAtNul ? untilNul(prepare(password)) : prepare(password)),
  }
}

function kindOf({ name }: HashFormat, { algorithm }: DerivedKey | EncodedHash): string {
  return JSON.stringify([name, algorithm])
}

function isEncoded({ algorithm, hash, secret }: EncodedHash): boolean {
  if (algorithm === 'bcrypt') return bcrypt.test(hash)
  const { parameters = '', salt, digest } = argon2.exec(hash)?.groups ?? {}
  const { m, t, p, keyid } = parametersIn(parameters) ?? {}
  return (
    Number(t) <= hashing.maxPasses &&
    Number(m) * Number(t) <= hashing.maxWorkKiB &&
    // RFC 9106 asks for so much; the library fails otherwise, and on unused bits that are set.
    Number(m) >= hashing.minMemoryKiB * Number(p) &&
    // Without the key that it names, no password matches.
    (keyid === undefined || secret !== undefined) &&
    (secret === undefined || secret instanceof Uint8Array) &&
    isCanonical(salt) &&
    isCanonical(digest)
  )
}

/** Returns the parameters by name; `null` if one is unknown, malformed or there twice. */
function parametersIn(text: string): Readonly<Record<string, string>> | null {
  const found = new Map<string, string>()
  for (const one of text.split(',')) {
    const [, name = '', value = ''] = /^([a-z]+)=(.*)$/.exec(one) ?? []
    const isKnown = Object.hasOwn(PARAMETERS, name) && PARAMETERS[name]?.test(value) === true
    if (!isKnown || found.has(name)) return null
    found.set(name, value)
  }
  return Object.fromEntries(found)
}

function isCanonical(text: string | undefined): boolean {
  return text !== undefined && base64(Buffer.from(text, 'base64')) === text
}

function untilNul(password: string): string {
  return password.split('\0', 1)[0] ?? ''
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
