import { isThenable } from '../core/timeouts.ts'

/**
 * Describes what was given for an option, such as "is a text". Repeats no text, which may be a key
 * or a password.
 */
export function describeGiven(value: unknown): string {
  if (value === undefined) return 'is missing'
  if (value === null || typeof value === 'boolean') return `is ${String(value)}`
  if (typeof value === 'number' || typeof value === 'bigint') return `is ${String(value)}`
  if (value === '') return 'is empty'
  if (typeof value === 'string') return 'is a text'
  if (Array.isArray(value)) return 'is a list'
  if (isThenable(value)) return 'is a promise'
  if (isClass(value)) return 'is a class'
  return typeof value === 'function' ? 'is a function' : 'is an object'
}

/** Describes an address or a path. Repeats no text that may be a key or a password. */
export function describeText(value: unknown): string {
  const isAddress = typeof value === 'string' && /^(?=.*[.:*])[\w.:/*,-]{1,60}$/.test(value)
  const isPath = typeof value === 'string' && /^[\w/-]{1,24}$/.test(value)
  return isAddress || isPath ? `is ${JSON.stringify(value)}` : describeGiven(value)
}

/** Returns why a text is refused that has the quotes of a .env; `null`: it has none. */
export function quotesFault(text: string): string | null {
  const isQuoted = /^(["'`]).*\1$/s.test(text)
  return isQuoted
    ? 'has quotes around it, which `docker --env-file` keeps and other nodes may not have; remove them'
    : null
}

/** Returns the path of an option as JavaScript writes it: `svc.panels[0]`. */
export function optionPath(keys: readonly unknown[]): string {
  let path = ''
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`
    else if (!/^[\w$]+$/.test(String(key))) path += `[${JSON.stringify(String(key))}]`
    else path += path === '' ? String(key) : `.${String(key)}`
  }
  return path
}

/** Returns `true` for a class. Its text is the only sign. */
export function isClass(value: unknown): value is { readonly name: string } {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}

/** Returns `true` for a function that always returns a promise. */
export function isAsync(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}

/** Returns the line about an option that is wrong; `null` if it is not. */
export function when(isWrong: boolean, line: string): string | null {
  return isWrong ? line : null
}
