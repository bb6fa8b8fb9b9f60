import { ConfigError } from './errors.ts'
import type { Access } from './rules/routes.ts'
import type { GuardOptions } from './service-contract.ts'

const PROOFS = ['token', 'same-origin'] as const
const GUARD_LEVELS = ['panel', 'security', 'session'] as const satisfies readonly Access[]

/**
 * Fills in the defaults of `GuardOptions`. Plain JavaScript has no types that reject a misspelt
 * level, and an unknown level must not count as a lower one.
 *
 * @throws {ConfigError} An option has an invalid value.
 */
export function readGuardOptions(options: GuardOptions = {}): Required<GuardOptions> {
  if (typeof options !== 'object' || options === null)
    throw new ConfigError('guard: the options are an object, like { access: "security" }')
  const { access = 'panel', passive = false, csrf = 'token' } = options
  if (!GUARD_LEVELS.includes(access))
    throw new ConfigError(
      `guard: access is ${inMessage(access)}: it must be one of ${GUARD_LEVELS.join(', ')}`,
    )
  if (typeof passive !== 'boolean')
    throw new ConfigError(`guard: passive is ${inMessage(passive)}: it must be true or false`)
  if (!PROOFS.includes(csrf))
    throw new ConfigError(
      `guard: csrf is ${inMessage(csrf)}: it must be one of ${PROOFS.join(', ')}`,
    )
  return { access, passive, csrf }
}

function inMessage(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${typeof value}`
}
