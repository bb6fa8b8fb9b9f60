import { ConfigError } from '../../contracts/errors.ts'

const CLIENT = 'give a connected client of ioredis or redis'
const BESIDE = 'give the stores that hold the notifications, like `await postgresStores(…)`'
const OPTIONS = "the only option is prefix, a text, as in { prefix: 'svc:' }"

/** The arguments of a call of the host in JavaScript. */
interface RedisArguments {
  readonly client: unknown
  readonly beside: unknown
  readonly options: unknown
}

/**
 * Checks what a host has passed to `redisStores`. Otherwise its first login would fail, and the
 * message would name neither the call nor the remedy. Repeats no text, which may contain a
 * password.
 *
 * @throws {ConfigError} An argument is wrong.
 */
export function ensureArguments({ client, beside, options }: RedisArguments): void {
  refuse('redisStores', 'first', clientFault(client))
  ensureBeside(beside, 'redisStores')
  refuse('redisStores', 'third', optionsFault(options))
}

/**
 * Checks the stores beside Redis.
 *
 * @throws {ConfigError} The value is not an object with the methods of stores.
 */
export function ensureBeside(beside: unknown, call: string): void {
  refuse(call, 'second', besideFault(beside))
}

function refuse(call: string, which: string, fault: string | null): void {
  if (fault !== null) throw new ConfigError(`stores: ${call}: its ${which} argument ${fault}`)
}

function clientFault(value: unknown): string | null {
  if (typeof value === 'string')
    return `is a text; ${CLIENT}, or give the address to openRedisStores`
  const fault = objectFault(value, CLIENT)
  if (fault !== null || typeof value !== 'object' || value === null) return fault
  if (hasMethod(value, 'evalsha') || hasMethod(value, 'evalSha')) return null
  if ('sessions' in value) return `is the stores, which come second; ${CLIENT}`
  return `is no client of Redis; ${CLIENT}`
}

function besideFault(value: unknown): string | null {
  const fault = objectFault(value, BESIDE)
  if (fault !== null || typeof value !== 'object' || value === null) return fault
  const isStores =
    'notifications' in value && hasMethod(value, 'check') && hasMethod(value, 'close')
  return isStores ? null : `is no stores; ${BESIDE}`
}

function objectFault(value: unknown, remedy: string): string | null {
  if (value === undefined) return `is missing; ${remedy}`
  if (typeof value === 'function') return `is a function; call it, and ${remedy}`
  if (typeof value !== 'object' || value === null) return `is no object; ${remedy}`
  return 'then' in value ? `is a promise; await it: ${remedy}` : null
}

function optionsFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return `is no object; ${OPTIONS}`
  const unknown = Object.keys(value).find((name) => name !== 'prefix')
  if (unknown !== undefined) return `has an unknown option ${JSON.stringify(unknown)}; ${OPTIONS}`
  const hasPrefix = 'prefix' in value && value.prefix !== undefined
  return hasPrefix && typeof value.prefix !== 'string'
    ? `has a prefix that is no text; ${OPTIONS}`
    : null
}

function hasMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function'
}
