import { ConfigError } from '../../contracts/errors.ts'
import type { StartErrors } from '../sql/server-start.ts'
import type { MysqlPool } from './host-pool.ts'

const EXAMPLE =
  'give an address, like mysql://panel:password@localhost:3306/panel, or createPool(…) of mysql2/promise'

/**
 * Checks what a host has passed as the database. Repeats no text, which may contain a password.
 *
 * @throws {ConfigError} It is neither an address nor a pool.
 */
export function ensureDatabase(database: string | MysqlPool, call: string): void {
  const fault = typeof database === 'string' ? addressFault(database) : poolFault(database)
  if (fault !== null) throw new ConfigError(`stores: ${call}: its argument ${fault}`)
}

/** The parameters of an address that do not change the meaning of answers. */
const PARAMETERS = new Set(['ssl', 'socketPath'])

function addressFault(address: string): string | null {
  if (address === '') return `is empty; ${EXAMPLE}`
  if (!/^(?:mysql|mariadb):\/\//.test(address)) {
    return `is not the address of a MySQL or MariaDB database; ${EXAMPLE}`
  }
  if (!URL.canParse(address)) {
    return 'cannot be read; percent-encode special characters in its password'
  }
  const { searchParams, pathname } = new URL(address)
  if (pathname.length < 2) return `names no database; ${EXAMPLE}`
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.has(name))
  return unknown === undefined
    ? null
    : `has the unknown parameter ${JSON.stringify(unknown)}; give a pool for options other than ssl and socketPath`
}

function poolFault(value: unknown): string | null {
  if (value === undefined) return `is missing; ${EXAMPLE}`
  if (typeof value !== 'object' || value === null) return `is no address; ${EXAMPLE}`
  if ('then' in value) return 'is a promise; await it'
  if (!('getConnection' in value)) return `is no pool; ${EXAMPLE}`
  return 'promise' in value ? 'is a pool with callbacks; give pool.promise()' : null
}

const MAY_NOT_CREATE =
  'GRANT the user CREATE, INDEX, SELECT, INSERT, UPDATE and DELETE on the database; or run migrateMysql as a user that has them, and give { migrate: false } here'

/** Remedies for codes of the server that only a change of the configuration can end. */
const WRONG: Readonly<Record<string, string>> = {
  ER_BAD_DB_ERROR: 'create it, or name another database in the address',
  ER_NO_DB_ERROR: 'name a database in the options of the pool',
  ER_ACCESS_DENIED_ERROR:
    'correct the user or the password of the address, and percent-encode special characters',
  ER_DBACCESS_DENIED_ERROR: MAY_NOT_CREATE,
  ER_TABLEACCESS_DENIED_ERROR: MAY_NOT_CREATE,
}

/** Codes of a server that has no connection left. */
const FULL: ReadonlySet<string> = new Set(['ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS'])

export const startErrors: StartErrors = {
  remedyOf: ({ code }) => WRONG[String(code)],
  isFull: (code) => FULL.has(code),
}
