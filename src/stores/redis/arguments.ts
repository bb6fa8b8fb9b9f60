import { ensureArgument, optionsOf, type Expected } from '../argument.ts'

const REMEDY = 'give a connected client of ioredis or redis'

/** A client of Redis. */
export const CLIENT: Expected = {
  remedy: REMEDY,
  textFault: () => `is a text; ${REMEDY}, or give the address to openRedisStores`,
  objectFault(value) {
    if (hasMethod(value, 'evalsha') || hasMethod(value, 'evalSha')) return null
    if ('sessions' in value) return `is the stores, which come second; ${REMEDY}`
    return `is not a client of Redis; ${REMEDY}`
  },
}

const OTHER_STORES = 'give the stores that hold the notifications, like `await postgresStores(…)`'

const BESIDE: Expected = {
  remedy: OTHER_STORES,
  objectFault: (value) =>
    'notifications' in value && hasMethod(value, 'check') && hasMethod(value, 'close')
      ? null
      : `is not an object of stores; ${OTHER_STORES}`,
}

/**
 * Checks the stores beside Redis.
 *
 * @throws {ConfigError} The value is not an object with the methods of stores.
 */
export function ensureBeside(beside: unknown, call: string): void {
  ensureArgument(beside, `stores: ${call}: its second argument`, BESIDE)
}

/** The options of `redisStores`. */
export const OPTIONS = optionsOf(
  { prefix: 'string' },
  "the only option is prefix, a text, as in { prefix: 'svc:' }",
)

function hasMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function'
}
