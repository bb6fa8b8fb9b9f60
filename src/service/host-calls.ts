import { ConfigError } from '../contracts/errors.ts'
import { ensureKnown } from '../contracts/guard-options.ts'
import type { Tenant } from '../contracts/host.ts'

/** The calls of the host that name a user, and the options of each. */
const OPTIONS = {
  activityOf: ['tenant', 'limit'],
  endSessions: ['tenant'],
  invite: ['tenant', 'panel', 'language'],
  notify: ['tenant'],
  unlock: ['tenant'],
} as const

/**
 * Checks a call of the host, which may be in plain JavaScript, and returns its tenant. A number in
 * place of an id, or a misspelt tenant, would name nobody: the call would succeed, and the sessions
 * of the user would go on.
 *
 * @param named The arguments before the options, which are texts.
 * @throws {ConfigError} An argument or an option is wrong.
 */
export function tenantIn(
  call: keyof typeof OPTIONS,
  options: { readonly tenant?: Tenant } | undefined,
  named: Readonly<Record<string, unknown>> = {},
): Tenant {
  ensureKnown(call, options, OPTIONS[call])
  const tenant = options?.tenant ?? null
  for (const [name, value] of Object.entries({ ...named, ...(tenant !== null && { tenant }) })) {
    if (typeof value === 'string') continue
    const remedy = name === 'userId' ? ': give String(user.id)' : ''
    throw new ConfigError(`${call}: ${name} is not a text${remedy}`)
  }
  return tenant
}

/**
 * Checks a number of a call of the host. Databases differ in what they make of others, and a
 * negative age is in the future: everything would be removed.
 *
 * @throws {ConfigError} The number is not whole, or is too small.
 */
export function ensureWhole(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return
  throw new ConfigError(`${name} is not a whole number of ${min} or more`)
}
