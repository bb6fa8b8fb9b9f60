import type { Awaitable } from './host.ts'

/** A symbol, so that a host that spreads a provider keeps its warning and never sees it. */
const WARNING: unique symbol = Symbol.for('@svc/auth: warning of a provider')

/** Returns a warning for `svc doctor`, or `null`. */
type Warn = () => Awaitable<string | null>

/** A part of the host that may have a warning. */
export interface Warned {
  readonly [WARNING]?: Warn | undefined
}

/** Returns the property by which a user provider, a second factor or stores have a warning. */
export function warned(warn: Warn | undefined): Warned {
  return { [WARNING]: warn }
}

/** Returns what creates the warning of a provider, if it has one. */
export function warningOf(provider: object): Warn | undefined {
  const { [WARNING]: warn }: Warned = provider
  return warn
}
