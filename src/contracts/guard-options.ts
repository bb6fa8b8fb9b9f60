import { ConfigError } from './errors.ts'
import { ownProperties } from './own-properties.ts'
import { adviceFor } from '../rules/nearest.ts'
import type { Access } from '../rules/routes/row.ts'
import type { GuardOptions } from './service-contract.ts'

const PROOFS = ['token', 'same-origin'] as const
const GUARD_LEVELS = ['panel', 'security', 'session'] as const satisfies readonly Access[]
const IMPERSONATIONS = ['allowed', 'refused'] as const
const OPTIONS = [
  'access',
  'passive',
  'csrf',
  'confirmedWithin',
  'impersonation',
] as const satisfies readonly (keyof GuardOptions)[]

/**
 * Fills in the defaults of `GuardOptions`. Plain JavaScript has no types that reject a misspelt
 * level or option, and an unknown level must not count as a lower one.
 *
 * @throws {ConfigError} An option is unknown or has an invalid value.
 */
export function readGuardOptions(options: GuardOptions = {}): Required<GuardOptions> {
  ensureKnown('guard', options, OPTIONS)
  const given = ownProperties(options, OPTIONS)
  const { access = 'panel', passive = false, csrf = 'token', confirmedWithin = null } = given
  const { impersonation = 'allowed' } = given
  ensureOneOf(GUARD_LEVELS, 'access', access)
  if (typeof passive !== 'boolean')
    throw new ConfigError(`guard: passive is ${inMessage(passive)}: it must be true or false`)
  ensureOneOf(PROOFS, 'csrf', csrf)
  ensureOneOf(IMPERSONATIONS, 'impersonation', impersonation)
  if (confirmedWithin !== null && !(Number.isFinite(confirmedWithin) && confirmedWithin > 0))
    throw new ConfigError(
      `guard: confirmedWithin is ${inMessage(confirmedWithin)}: it must be a number of minutes, more than 0`,
    )
  return { access, passive, csrf, confirmedWithin, impersonation }
}

function ensureOneOf(allowed: readonly unknown[], name: string, value: unknown): void {
  if (allowed.includes(value)) return
  throw new ConfigError(
    `guard: ${name} is ${inMessage(value)}: it must be one of ${allowed.join(', ')}`,
  )
}

/**
 * Checks that the options of a call are an object, or left out.
 *
 * @throws {ConfigError} They are something else.
 */
export function ensureObject(call: string, options: unknown): void {
  if (options === undefined) return
  // Options in a promise would be ignored.
  if (typeof options !== 'object' || options === null || 'then' in options)
    throw new ConfigError(`${call}: the options are not an object; give each by its name`)
}

/**
 * Checks the names of the options of a call: a misspelt one would be ignored.
 *
 * @throws {ConfigError} An option is unknown, or the options are not an object.
 */
export function ensureKnown(call: string, options: unknown, known: readonly string[]): void {
  ensureObject(call, options)
  const unknown = Object.keys(Object(options)).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new ConfigError(`${call}: ${unknown} is not an option; ${adviceFor(unknown, known)}`)
}

function inMessage(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${typeof value}`
}
