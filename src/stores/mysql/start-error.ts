import type { Expected } from '../../contracts/call-argument.ts'
import { optionalFlag, optionalNumber, optionsOf } from '../../contracts/call-options.ts'
import type { StartErrors } from '../sql/server-start.ts'
import { callbackFault } from './host-pool.ts'

const remedy =
  'give an address, like mysql://panel:password@localhost:3306/panel, or createPool(…) of mysql2/promise'

/** An address or a pool. */
export const DATABASE: Expected = {
  remedy,
  textFault: addressFault,
  objectFault(value) {
    if (!('getConnection' in value)) return `is not a pool; ${remedy}`
    return callbackFault(value)
  },
}

/** The options of `mysqlStores`. */
export const OPTIONS = optionsOf({ migrate: optionalFlag, pollSeconds: optionalNumber })

/** The parameters of an address that do not change the meaning of answers. */
const PARAMETERS = new Set(['ssl', 'socketPath'])

function addressFault(address: string): string | null {
  if (address === '')
    return `is empty; ${remedy}, in the variable that it comes from, such as DATABASE_URL`
  if (!/^(?:mysql|mariadb):\/\//.test(address))
    return `is not the address of a MySQL or MariaDB database; ${remedy}`
  if (!URL.canParse(address))
    return 'cannot be read; percent-encode special characters in its password'
  const { searchParams, pathname } = new URL(address)
  if (pathname.length < 2) return `names no database; ${remedy}`
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.has(name))
  if (unknown !== undefined)
    return `has the unknown parameter ${JSON.stringify(unknown)}; give a pool for options other than ssl and socketPath`
  // The driver reads other values, some of which compare no host name.
  return /^(?:true|false)$/.test(searchParams.get('ssl') ?? 'false')
    ? null
    : 'has a value of ssl other than true and false; write ssl=true, or give a pool for other settings'
}

const MAY_NOT_CREATE =
  'GRANT the user CREATE, ALTER, INDEX, SELECT, INSERT, UPDATE and DELETE on the database; or run migrateMysql as a user that has them, and give { migrate: false } here'

/** Remedies for codes of the server that only a change of the configuration can end. */
const WRONG: Readonly<Record<string, string>> = {
  ER_BAD_DB_ERROR: 'create it, or name another database in the address',
  ER_SECURE_TRANSPORT_REQUIRED: 'append ?ssl=true to the address for TLS',
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
