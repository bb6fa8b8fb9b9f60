import { ConfigError } from './errors.ts'

/** The value that a call of the host expects. */
export interface Expected {
  /** The value to give instead of a wrong one, for messages. */
  readonly remedy: string
  /** Returns why a text is refused; `null` accepts it. Default: every text is. */
  readonly textFault?: (text: string) => string | null
  /** Returns why an object is refused; `null` accepts it. */
  readonly objectFault: (value: object) => string | null
}

/**
 * Checks an argument of a host in JavaScript. Otherwise its first login would fail, and the message
 * would name neither the call nor the remedy. Repeats no text, which may contain a password.
 *
 * @param name The call and the argument, for messages, such as `redisStores: its first argument`.
 * @throws {ConfigError} It is not what the call expects.
 */
export function ensureArgument(value: unknown, name: string, expected: Expected): void {
  const fault = faultOf(value, expected)
  if (fault !== null) throw new ConfigError(`${name} ${fault}`)
}

function faultOf(value: unknown, { remedy, textFault, objectFault }: Expected): string | null {
  if (value === undefined) return `is missing; ${remedy}`
  if (typeof value === 'string' && textFault !== undefined) return textFault(value)
  if (typeof value === 'function') return `is a function; call it, and ${remedy}`
  if (typeof value !== 'object' || value === null) return `is not an object; ${remedy}`
  return 'then' in value ? `is a promise; await it, and ${remedy}` : objectFault(value)
}
