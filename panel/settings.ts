import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the environment says about the reference panel. */
export interface PanelSettings {
  readonly port: number
  /** Where its database and its key are kept. */
  readonly dataFolder: string
  readonly appUrl: string
  readonly appKey: string
  /** Where mail goes; `null`: into files of the data folder. */
  readonly smtpUrl: string | null
  /** Whom mail comes from. */
  readonly mailFrom: string
  readonly trustedProxies: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Named by the documents, and not there yet: better refused than silently left out. */
const LATER = ['DATABASE_URL', 'REDIS_URL']

/**
 * Reads the environment; makes the data folder, and a key in it where none is given.
 *
 * @throws {Error} naming the variable and the remedy.
 */
export function readSettings(environment: Environment): PanelSettings {
  for (const name of LATER) {
    if (environment[name] !== undefined) throw new Error(`${name} is not supported yet: unset it`)
  }
  const port = readPort(environment['PORT'] ?? '3000')
  const dataFolder = environment['SVC_DATA'] ?? './data'
  mkdirSync(dataFolder, { recursive: true })
  return {
    port,
    dataFolder,
    appUrl: environment['APP_URL'] ?? `http://localhost:${port}`,
    appKey: environment['APP_KEY'] ?? keptKey(join(dataFolder, 'app.key')),
    smtpUrl: environment['SMTP_URL'] ?? null,
    mailFrom: environment['MAIL_FROM'] ?? 'panel@localhost',
    trustedProxies: (environment['TRUSTED_PROXIES'] ?? '')
      .split(',')
      .flatMap((entry) => entry.trim() || []),
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`PORT is ${JSON.stringify(text)}: give a number from 0 to 65535`)
}

function keptKey(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}
