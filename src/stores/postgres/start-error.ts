import type { Expected } from '../../contracts/call-argument.ts'
import { optionalFlag, optionalText, optionsOf } from '../../contracts/call-options.ts'
import type { StartErrors } from '../sql/server-start.ts'

const address = 'give an address, like postgres://panel:password@localhost:5432/panel'
const remedy = `${address}, or new Pool(…) of pg`

/** An address. */
export const ADDRESS: Expected = {
  remedy: address,
  textFault: (text) => addressFault(text, address),
  objectFault: () => `is not a text; ${address}`,
}

/** An address or a pool. */
export const DATABASE: Expected = {
  remedy,
  textFault: (text) => addressFault(text, remedy),
  objectFault: (value) => ('connect' in value && 'on' in value ? null : `is not a pool; ${remedy}`),
}

function addressFault(text: string, advice: string): string | null {
  // The driver would connect an empty address to a server of its own choice.
  if (text === '')
    return `is empty; ${advice}, in the variable that it comes from, such as DATABASE_URL`
  if (/^postgres(?:ql)?:\/\/|^\/|^socket:/.test(text)) return null
  return `is not the address of a PostgreSQL database; ${advice}, or sqliteStores for a file`
}

/** The options of `postgresStores`. */
export const OPTIONS = optionsOf({ listen: optionalText, migrate: optionalFlag })

/** PgBouncer says so. PostgreSQL calls its parameters otherwise. */
const STARTUP_PARAMETER = /unsupported startup parameter/
const OF_POOLER =
  'PgBouncer refuses it: set ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout in its file ' +
  '(and options, if the address has them), and give `listen`, an address that bypasses it; or give a pool without these parameters'

const TOO_MANY_CONNECTIONS = '53300'
const MAY_NOT_CREATE =
  'GRANT the role USAGE and CREATE on the schema, or make it the owner of tables that are there; or run migratePostgres as a role that may, and give { migrate: false } here'

/** Remedies for codes of PostgreSQL that only a change of the configuration can end. */
const WRONG: Readonly<Record<string, string>> = {
  '3D000': 'create it, or name another database in the address',
  '28P01': 'correct the user or the password of the address, and percent-encode special characters',
  '28000': 'create the role or allow it in pg_hba.conf, or name another role in the address',
  '25006':
    'lead the address to the primary, or turn default_transaction_read_only off for the role and the database',
  '42501': MAY_NOT_CREATE,
  '42P07':
    'another program has created it, or it is left from a newer release than that of a restored backup: rename or drop it, or give another schema as search_path',
  // The role may not use the schema of the search_path.
  '3F000': MAY_NOT_CREATE,
}

/** PgBouncer says so in its statement mode. */
const STATEMENT_MODE = /statement pooling mode/

/** PostgreSQL says so of a role that it takes from encrypted connections only. */
const NO_TLS = /no encryption|SSL off/

export const startErrors: StartErrors = {
  remedyOf({ code, message }) {
    if (STARTUP_PARAMETER.test(message)) return OF_POOLER
    if (STATEMENT_MODE.test(message)) return 'set pool_mode = transaction in the file of PgBouncer'
    if (NO_TLS.test(message)) return 'append ?sslmode=verify-full to the address for TLS'
    return WRONG[String(code)]
  },
  isFull: (code) => code === TOO_MANY_CONNECTIONS,
}
