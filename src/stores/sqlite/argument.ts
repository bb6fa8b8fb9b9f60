import { ConfigError } from '../../contracts/errors.ts'
import type { OwnHandle, SqliteHandle, SqliteOpener } from './driver.ts'

/**
 * Checks what a host has passed as the database. Repeats no text, which may be an address with a
 * password.
 *
 * @throws {ConfigError} It is neither a path nor a handle.
 */
export function ensureDatabase(database: string | SqliteHandle | SqliteOpener): void {
  const fault = typeof database === 'function' ? null : faultOf(database)
  if (fault !== null) throw new ConfigError(`stores: sqliteStores: its argument ${fault}`)
}

/**
 * Checks what a function of the host has opened.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} It is no handle.
 */
export function ensureHandle(handle: unknown, call: string): asserts handle is OwnHandle {
  const fault = typeof handle === 'string' ? `is no handle; ${EXAMPLE}` : faultOf(handle)
  if (fault !== null) throw new ConfigError(`${call}: the result of its function ${fault}`)
}

const EXAMPLE = "give a path or an open handle, as in sqliteStores('panel.db')"

function faultOf(value: unknown): string | null {
  if (typeof value === 'string') {
    return /^[a-z]+:\/\//.test(value)
      ? `is an address; ${EXAMPLE}, or give the address of PostgreSQL to postgresStores`
      : null
  }
  if (value === undefined) return `is missing; ${EXAMPLE}`
  if (typeof value !== 'object' || value === null) return `is no path; ${EXAMPLE}`
  if ('then' in value) return 'is a promise; await it'
  if ('prepare' in value && 'exec' in value) return null
  if ('connect' in value) return 'is a pool of PostgreSQL; give it to postgresStores'
  return `is no handle; ${EXAMPLE}`
}
