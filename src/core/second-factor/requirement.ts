import type {
  Awaitable,
  Clock,
  EpochMs,
  Logger,
  TwoFactorAuthenticator,
} from '../../contracts/host.ts'
import { ContractError, type Checked } from '../boundary/checked.ts'
import type { User } from '../boundary/checked-users.ts'
import { mapAwaitable } from '../timeouts.ts'

/** Tells if a user must enable the second factor. */
export interface Requirement {
  /** True when the user must enable it before entering the panel. */
  readonly required: boolean
  /** The time at which it becomes required; `null` if it is required already, or not at all. */
  readonly requiredFrom: EpochMs | null
}

export interface RequirementParts {
  readonly clock: Clock
  readonly logger: Logger
}

const NOT_REQUIRED: Requirement = { required: false, requiredFrom: null }
const REQUIRED: Requirement = { required: true, requiredFrom: null }

/**
 * Creates the function that asks the host for the requirement of a user. The clock of the service
 * ends a grace period, so that it ends on all nodes at once.
 */
export function createRequirementOf(
  contract: Checked<TwoFactorAuthenticator<unknown>>,
  { clock, logger }: RequirementParts,
): (user: User) => Awaitable<Requirement> {
  const { requiredFrom: askDate } = contract

  function requirementFrom(date: Date | null): Requirement {
    if (date === null) return REQUIRED
    const requiredFrom = date.getTime()
    if (Number.isNaN(requiredFrom)) {
      const err = new ContractError('TwoFactorAuthenticator.requiredFrom must return a valid Date')
      logger.error({ err }, 'the second factor is required without a grace period')
      return REQUIRED
    }
    return clock.now() < requiredFrom ? { required: false, requiredFrom } : REQUIRED
  }

  return ({ host }) =>
    mapAwaitable(contract.isRequiredFor(host), (isRequired) => {
      if (!isRequired) return NOT_REQUIRED
      return askDate === undefined ? REQUIRED : mapAwaitable(askDate(host), requirementFrom)
    })
}
