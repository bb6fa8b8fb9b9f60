import { ConfigError } from '../contracts/errors.ts'
import { ensureKnown } from '../contracts/guard-options.ts'
import { ownProperty } from '../contracts/own-properties.ts'
import type { Tenant } from '../contracts/host.ts'
import { isObject } from '../core/boundary/answers.ts'
import { isThenable } from '../core/timeouts.ts'

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
  const tenant = ownProperty(options ?? {}, 'tenant') ?? null
  for (const [name, value] of Object.entries({ ...named, ...(tenant !== null && { tenant }) })) {
    ensureText(call, name, value)
  }
  return tenant
}

/**
 * Checks an argument of a call of the host.
 *
 * @throws {ConfigError} It is not a text.
 */
export function ensureText(call: string, name: string, value: unknown): void {
  if (typeof value === 'string') return
  const remedy = name === 'userId' ? ': give String(user.id)' : ''
  throw new ConfigError(`${call}: ${name} is not a text${remedy}`)
}

type Loose = Readonly<Record<string, unknown>> | null | undefined

/**
 * Checks that a request is one as adapters make it. That of a framework would be a TypeError later.
 *
 * @throws {ConfigError} It is something else.
 */
export function ensureRequest(call: string, request: unknown): void {
  const given = request as Loose
  if (typeof given?.['header'] === 'function' && typeof given['target'] === 'string') return
  throw new ConfigError(
    `${call}: its first argument is not a PlainRequest: call ${call === 'handle' ? 'mount' : call} of your framework's adapter, or give toPlainRequest(request, { address }) of @svc/auth/fetch`,
  )
}

/**
 * Checks the user that a call of the host names. For an id in its place, the error would name the
 * provider.
 *
 * @throws {ConfigError} It is not an object of the user provider.
 */
export function ensureUser(call: string, user: unknown): void {
  if (isObject(user) && !isThenable(user)) return
  throw new ConfigError(
    `${call}: its first argument is not a user: give one as your user provider returns it, awaited`,
  )
}

/**
 * Checks the arguments of `notify`, and returns the tenant.
 *
 * @throws {ConfigError} There is no user, or no notification.
 */
export function notifiedTenant(
  user: unknown,
  notification: unknown,
  options: Parameters<typeof tenantIn>[1],
): Tenant {
  ensureUser('notify', user)
  if (typeof (notification as Loose)?.['via'] !== 'function')
    throw new ConfigError(
      "notify: its second argument is not a notification: give { type: 'export', via: () => ['database'], toDatabase: () => ({ title: 'Export finished' }) }",
    )
  return tenantIn('notify', options)
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
