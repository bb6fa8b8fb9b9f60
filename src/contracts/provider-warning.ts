import type { Awaitable } from './host.ts'

/** A symbol, so that a host that spreads a provider keeps its warnings and never sees them. */
const WARNINGS: unique symbol = Symbol.for('@svc/auth: warnings of a provider')

/** Returns a warning for `svc doctor`, or `null`. */
type Warn = () => Awaitable<string | null>

interface Warned {
  readonly [WARNINGS]?: readonly Warn[]
}

/** Returns the property by which a user provider, a second factor or stores have warnings. */
export function warned(...warns: readonly Warn[]): Warned {
  return { [WARNINGS]: warns }
}

/** Returns what creates the warnings of a provider. */
export function warningsOf(provider: object): readonly Warn[] {
  const { [WARNINGS]: warns = [] }: Warned = provider
  return warns
}

/** Returns the warnings of a provider. Those that cannot be created are left out. */
export async function warningTexts(provider: object): Promise<readonly string[]> {
  const texts = await Promise.all(warningsOf(provider).map(textOf))
  return texts.filter((text) => text !== null)
}

async function textOf(warn: Warn): Promise<string | null> {
  try {
    return await warn()
  } catch {
    // A server that is like PostgreSQL or Redis may not know what it is asked, or not allow it.
    return null
  }
}
