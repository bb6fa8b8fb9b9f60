import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrivateFolder } from '@svc/auth/node'
import { readServerUrl } from './server-url.ts'

/** Settings of the reference panel, from the environment. */
export interface PanelSettings {
  readonly port: number
  /** Address to listen on; `null`: derived from `appUrl`. */
  readonly host: string | null
  /** Folder of the SQLite file, the key and the mails, as far as they are files. */
  readonly dataFolder: string
  /** PostgreSQL for everything; `null`: a SQLite file in the data folder. */
  readonly databaseUrl: string | null
  /** Redis for sessions and attempts; `null`: they are in the database. */
  readonly redisUrl: string | null
  readonly appUrl: string
  /** The first key signs and seals, all keys verify and open. */
  readonly appKeys: readonly string[]
  /** SMTP server; `null`: mails become files in the data folder. */
  readonly smtpUrl: string | null
  /** Sender of mails. */
  readonly mailFrom: string
  readonly trustedProxies: readonly string[]
  /**
   * Time for which a stopping node keeps answering while load balancers notice that it is not
   * ready.
   */
  readonly drainSeconds: number
  /** Port of the metrics on the loopback address; `null`: nothing is measured. */
  readonly metricsPort: number | null
  /** Serves plain http for a public name; only for networks where nobody else can listen. */
  readonly unsafeHttp: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment. Creates the data folder, and a key in it if none is set and no other node
 * needs it.
 *
 * @throws {Error} The message names the variable and the remedy.
 */
export function readSettings(environment: Environment): PanelSettings {
  const port = readPort('PORT', environment['PORT'] ?? '3000')
  const metricsPort = environment['METRICS_PORT']
  const kept = readKept(environment)
  const host = readHost(environment['HOST'])
  return {
    port,
    host,
    ...kept,
    appUrl: readAppUrl(environment['APP_URL'] ?? `http://${nameOf(host)}:${port}`),
    appKeys: readKeys(environment['APP_KEY'] ?? ownKey(kept)),
    smtpUrl: readServerUrl(environment, 'SMTP_URL', {
      protocols: ['smtp', 'smtps'],
      like: 'smtp://user:password@mail.example.com',
      unset: 'write mails as files into the data folder',
    }),
    mailFrom: environment['MAIL_FROM'] ?? 'panel@localhost',
    trustedProxies: listOf(environment['TRUSTED_PROXIES'] ?? ''),
    drainSeconds: readDrainSeconds(environment),
    metricsPort: metricsPort === undefined ? null : readPort('METRICS_PORT', metricsPort),
    unsafeHttp: environment['UNSAFE_HTTP'] === 'true',
  }
}

function readAppUrl(text: string): string {
  if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return text
  throw new Error(
    `APP_URL is ${JSON.stringify(text)}: give the address that browsers use, like https://panel.example.com, or unset it`,
  )
}

function readKeys(text: string): readonly string[] {
  const keys = listOf(text)
  if (keys.length > 0) return keys
  throw new Error(
    'APP_KEY is empty: give at least 32 random characters, as `openssl rand -base64 32` makes them',
  )
}

/** Reads a variable; an empty value counts as unset. */
function readHost(text = ''): string | null {
  return text.trim() === '' ? null : text.trim()
}

/** Returns the name that a browser on this machine uses for the listening address. */
function nameOf(host: string | null): string {
  if (host === null || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** With a longer drain, a node would not stop within ten seconds. */
const LONGEST_DRAIN_SECONDS = 5

/** Reads the drain. A panel on a file has no other node that could take its requests. */
function readDrainSeconds(environment: Environment): number {
  const nodes = environment['DATABASE_URL'] === undefined ? 'one' : 'many'
  const text = environment['DRAIN_SECONDS'] ?? String(nodes === 'one' ? 0 : LONGEST_DRAIN_SECONDS)
  const seconds = Number(text)
  if (/^\d+$/.test(text) && seconds <= LONGEST_DRAIN_SECONDS) return seconds
  throw new Error(
    `DRAIN_SECONDS is ${JSON.stringify(text)}: give a number from 0 to ${LONGEST_DRAIN_SECONDS}`,
  )
}

/** Settings of the panel's storage. */
export type KeptSettings = Pick<PanelSettings, 'dataFolder' | 'databaseUrl' | 'redisUrl'>

/** Reads the settings of the storage. Creates the data folder if the database is a file. */
export function readKept(environment: Environment): KeptSettings {
  const dataFolder = environment['SVC_DATA'] ?? './data'
  const databaseUrl = readServerUrl(environment, 'DATABASE_URL', {
    protocols: ['postgres', 'postgresql'],
    like: 'postgres://user:password@localhost:5432/panel',
    unset: 'keep everything in a SQLite file',
  })
  const redisUrl = readServerUrl(environment, 'REDIS_URL', {
    protocols: ['redis', 'rediss'].flatMap((one) => [one, `${one}+sentinel`, `${one}+cluster`]),
    like: 'redis://:password@localhost:6379',
    unset: 'keep sessions and attempts in the database',
  })
  if (databaseUrl === null) {
    ensurePrivateFolder({ path: dataFolder, setting: 'SVC_DATA', isExpectedFile })
  }
  return { dataFolder, databaseUrl, redisUrl }
}

/** Returns `true` for the panel's own files in the data folder. */
function isExpectedFile(name: string): boolean {
  return ['app.key', 'mail'].includes(name) || /^panel\.sqlite(-wal|-shm|-journal)?$/.test(name)
}

function listOf(text: string): readonly string[] {
  return text.split(',').flatMap((entry) => entry.trim() || [])
}

function readPort(name: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`${name} is ${JSON.stringify(text)}: give a number from 0 to 65535`)
}

/**
 * Returns the key of the data folder. Only this node knows it, but the nodes of one database must
 * share a key.
 */
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
