import { ensureArgument, type Expected } from '../../contracts/call-argument.ts'
import type { OwnHandle, SqliteHandle, SqliteOpener } from './driver.ts'

/**
 * Checks the database that a host has passed.
 *
 * @throws {ConfigError} It is neither a path nor a handle.
 */
export function ensureDatabase(database: string | SqliteHandle | SqliteOpener): void {
  if (typeof database === 'function') return
  ensureArgument(database, 'stores: sqliteStores: its argument', DATABASE)
}

/**
 * Checks the handle that a function of the host has opened.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} It is not a handle.
 */
export function ensureHandle(handle: unknown, call: string): asserts handle is OwnHandle {
  ensureArgument(handle, `${call}: the result of its function`, HANDLE)
}

const remedy = "give a path or an open handle, as in sqliteStores('panel.db')"
const notHandle = (): string => `is not a handle; ${remedy}`

const HANDLE: Expected = {
  remedy,
  textFault: notHandle,
  objectFault(value) {
    if ('prepare' in value && 'exec' in value) return null
    return 'connect' in value ? 'is a pool of PostgreSQL; give it to postgresStores' : notHandle()
  },
}

const DATABASE: Expected = {
  ...HANDLE,
  textFault: (text) =>
    /^[a-z]+:\/\//.test(text)
      ? `is an address; ${remedy}, or give the address of PostgreSQL to postgresStores`
      : null,
}
