import { ConfigError } from '../../contracts/errors.ts'
import type { StartErrors } from '../sql/server-start.ts'
import type { PostgresPool } from './pool.ts'

const EXAMPLE =
  'give an address, like postgres://panel:password@localhost:5432/panel, or new Pool(…) of pg'

/**
 * Checks what a host has passed as the database. Repeats no text, which may contain a password.
 *
 * @throws {ConfigError} It is neither an address nor a pool.
 */
export function ensureDatabase(database: string | PostgresPool, call: string): void {
  const fault = faultOf(database)
  if (fault !== null) throw new ConfigError(`stores: ${call}: its argument ${fault}`)
}

function faultOf(value: unknown): string | null {
  // The driver would connect an empty address to a server of its own choice.
  if (value === '') return `is empty; ${EXAMPLE}`
  if (typeof value === 'string') {
    if (/^postgres(?:ql)?:\/\/|^\/|^socket:/.test(value)) return null
    return `is not the address of a PostgreSQL database; ${EXAMPLE}, or sqliteStores for a file`
  }
  if (value === undefined) return `is missing; ${EXAMPLE}`
  if (typeof value !== 'object' || value === null) return `is no address; ${EXAMPLE}`
  if ('then' in value) return 'is a promise; await it'
  return 'connect' in value && 'on' in value ? null : `is no pool; ${EXAMPLE}`
}

/** PgBouncer says so. PostgreSQL calls its parameters otherwise. */
const STARTUP_PARAMETER = /unsupported startup parameter/
const OF_POOLER =
  'PgBouncer refuses it: set ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout in its file ' +
  '(and options, if the address has them), and give `listen`, an address that bypasses it; or give a pool without these parameters'

const TOO_MANY_CONNECTIONS = '53300'
const MAY_NOT_CREATE =
  'GRANT the role USAGE and CREATE on the schema; or run migratePostgres as a role that may, and give { migrate: false } here'

/** Remedies for codes of PostgreSQL that only a change of the configuration can end. */
const WRONG: Readonly<Record<string, string>> = {
  '3D000': 'create it, or name another database in the address',
  '28P01': 'correct the user or the password of the address, and percent-encode special characters',
  '28000': 'create the role or allow it in pg_hba.conf, or name another role in the address',
  '42501': MAY_NOT_CREATE,
  // The role may not use the schema of the search_path.
  '3F000': MAY_NOT_CREATE,
}

export const startErrors: StartErrors = {
  remedyOf: ({ code, message }) =>
    WRONG[String(code)] ?? (STARTUP_PARAMETER.test(message) ? OF_POOLER : undefined),
  isFull: (code) => code === TOO_MANY_CONNECTIONS,
}
