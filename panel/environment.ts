import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAddress } from './listen-address.ts'
import { REDIS_PROTOCOLS } from './redis-address.ts'
import { ensurePrivate } from './private-folder.ts'

/** What the environment says about the reference panel. */
export interface PanelSettings {
  readonly port: number
  /** The one address to listen on; `null`: decided by `appUrl`. */
  readonly host: string | null
  /** Where its SQLite file, its key and its mails are kept, as far as they are files. */
  readonly dataFolder: string
  /** The PostgreSQL that everything is kept in; `null`: a SQLite file of the data folder. */
  readonly databaseUrl: string | null
  /** The Redis that sessions and attempts are kept in; `null`: in the database, as the rest. */
  readonly redisUrl: string | null
  readonly appUrl: string
  /** The first signs and seals, all verify and open. */
  readonly appKeys: readonly string[]
  /** Where mail goes; `null`: into files of the data folder. */
  readonly smtpUrl: string | null
  /** Whom mail comes from. */
  readonly mailFrom: string
  readonly trustedProxies: readonly string[]
  /** Serves plain http for a public name; for networks where nobody else can listen. */
  readonly unsafeHttp: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment; makes the data folder, and a key in it where none is given and no other node needs it.
 *
 * @throws {Error} naming the variable and the remedy.
 */
export function readSettings(environment: Environment): PanelSettings {
  const port = readPort(environment['PORT'] ?? '3000')
  const kept = readKept(environment)
  const host = readHost(environment['HOST'])
  return {
    port,
    host,
    ...kept,
    appUrl: environment['APP_URL'] ?? `http://${nameOf(host)}:${port}`,
    appKeys: listOf(environment['APP_KEY'] ?? ownKey(kept)),
    smtpUrl: environment['SMTP_URL'] ?? null,
    mailFrom: environment['MAIL_FROM'] ?? 'panel@localhost',
    trustedProxies: listOf(environment['TRUSTED_PROXIES'] ?? ''),
    unsafeHttp: environment['UNSAFE_HTTP'] === 'true',
  }
}

/** Reads a variable; an empty value counts as absent. */
function readHost(text = ''): string | null {
  return text.trim() === '' ? null : text.trim()
}

/** What a browser on this machine calls the address that is listened on. */
function nameOf(host: string | null): string {
  if (host === null || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Longer and a node would not end within ten seconds. */
const LONGEST_DRAIN_SECONDS = 5

/**
 * Reads for how long a node that was told to stop goes on answering while load balancers learn that it is not ready.
 * Where everything is in a file there is one node, and nobody to send requests to instead.
 */
export function readDrainSeconds(environment: Environment): number {
  const nodes = environment['DATABASE_URL'] === undefined ? 'one' : 'many'
  const text = environment['DRAIN_SECONDS'] ?? String(nodes === 'one' ? 0 : LONGEST_DRAIN_SECONDS)
  const seconds = Number(text)
  if (/^\d+$/.test(text) && seconds <= LONGEST_DRAIN_SECONDS) return seconds
  throw new Error(
    `DRAIN_SECONDS is ${JSON.stringify(text)}: give a number from 0 to ${LONGEST_DRAIN_SECONDS}`,
  )
}

/** Where the panel keeps what it knows. */
export type KeptSettings = Pick<PanelSettings, 'dataFolder' | 'databaseUrl' | 'redisUrl'>

/** Reads what is needed to open the database, and makes the data folder where the database is a file. */
export function readKept(environment: Environment): KeptSettings {
  const dataFolder = environment['SVC_DATA'] ?? './data'
  const databaseUrl = readAddress(environment, 'DATABASE_URL', {
    protocols: ['postgres:', 'postgresql:'],
    like: 'postgres://user:password@localhost:5432/panel',
    unset: 'keep everything in a SQLite file',
  })
  const redisUrl = readAddress(environment, 'REDIS_URL', {
    protocols: REDIS_PROTOCOLS,
    like: 'redis://:password@localhost:6379',
    unset: 'keep sessions and attempts in the database',
  })
  if (databaseUrl === null) ensurePrivate({ path: dataFolder, setting: 'SVC_DATA', isOurs })
  return { dataFolder, databaseUrl, redisUrl }
}

/** What the panel keeps in its data folder. */
function isOurs(name: string): boolean {
  return ['app.key', 'mail'].includes(name) || /^panel\.sqlite(-wal|-shm|-journal)?$/.test(name)
}

function listOf(text: string): readonly string[] {
  return text.split(',').flatMap((entry) => entry.trim() || [])
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`PORT is ${JSON.stringify(text)}: give a number from 0 to 65535`)
}

/** A key that is made here is known to this node only, and nodes of one database need the same. */
function ownKey({ databaseUrl, dataFolder }: KeptSettings): string {
  const file = join(dataFolder, 'app.key')
  if (databaseUrl === null) return keptKey(file)
  const command = existsSync(file) ? `cat '${file}'` : 'openssl rand -base64 32'
  throw new Error(
    `APP_KEY is not set, and every node on this database needs the same: run  export APP_KEY="$(${command})"  once, keep the key, and give it to each of them`,
  )
}

function keptKey(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}
