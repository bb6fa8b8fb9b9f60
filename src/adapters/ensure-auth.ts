import { ConfigError } from '../errors.ts'

/**
 * Checks what a host has passed as the service. Otherwise its first request would fail, and the
 * message would name neither the call nor the remedy.
 *
 * @param call The call of the host, for the message.
 * @throws {ConfigError} The value is not the service.
 */
export function ensureAuth(auth: unknown, call: string): void {
  const given = describe(auth)
  if (given === null) return
  throw new ConfigError(
    `${call}: its first argument ${given}; give the service that createPanelAuth returns`,
  )
}

/** Describes a value that is not the service; `null` for the service. */
function describe(value: unknown): string | null {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'object' || value === null) return 'is not the service'
  if ('handle' in value && 'guard' in value) return null
  if ('then' in value) return 'is a promise: await it'
  if ('config' in value || 'svc' in value) return 'is the configuration'
  if ('headers' in value || 'req' in value)
    return `is a request, so the function was passed on without being called`
  return 'is not the service'
}

/** Checks the second argument of the functions for Hono, which is easily forgotten. */
export function ensureConnInfo(connInfo: unknown, call: string): void {
  if (typeof connInfo === 'function') return
  throw new ConfigError(
    `${call}: its second argument is not getConnInfo; import it for your platform, as from @hono/node-server/conninfo: without it, all clients would share one count of attempts`,
  )
}
