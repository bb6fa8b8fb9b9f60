import { ConfigError } from '../contracts/errors.ts'

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

/**
 * Checks the arguments of a handler for web requests. Only a request shows them, and the error of
 * the language would name neither the argument nor the remedy.
 *
 * @throws {ConfigError} An argument is wrong.
 */
export function ensureWebRequest(request: unknown, info: unknown): void {
  const fault = requestFault(request) ?? infoFault(info)
  if (fault !== null)
    throw new ConfigError(`@svc/auth/fetch: a handler or guard was called wrongly: ${fault}`)
}

function requestFault(request: unknown): string | null {
  const { headers } = Object(request) as { readonly headers?: unknown }
  if (typeof headers === 'object' && headers !== null && 'get' in headers) return null
  return 'its first argument is not a web Request; for a request of node:http use @svc/auth/node'
}

const INFO = "give { address }, the client's address as the platform reports it, or null"

function infoFault(info: unknown): string | null {
  if (info === undefined) return `its second argument is missing; ${INFO}`
  if (typeof info !== 'object' || info === null)
    return `its second argument is not an object; ${INFO}`
  const { address } = info as { readonly address?: unknown }
  return typeof (address ?? '') === 'string' ? null : `address is not a text; ${INFO}`
}
