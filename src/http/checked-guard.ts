import { ConfigError } from '../contracts/errors.ts'
import { readGuardOptions } from '../contracts/guard-options.ts'
import type { GuardOptions } from '../contracts/service-contract.ts'
import type { Service } from './service.ts'

/**
 * Fills in the defaults of the options of a guard.
 *
 * @throws {ConfigError} An option is wrong, or needs a layer that the host does not bind.
 */
export function checkGuardOptions(
  { layers }: Pick<Service, 'layers'>,
  options: GuardOptions | undefined,
): Required<GuardOptions> {
  const checked = readGuardOptions(options)
  if (checked.confirmedWithin !== null && !layers.has('confirmation'))
    throw new ConfigError(
      'guard: confirmedWithin needs the confirmation layer; give `confirmation: true` to createPanelAuth',
    )
  return checked
}
