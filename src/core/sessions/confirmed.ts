import type { Clock } from '../../contracts/host.ts'
import type { SessionRecord } from '../../contracts/store-contracts.ts'
import { isAlive } from '../../rules/limits.ts'
import type { Layer } from '../../rules/routes/row.ts'
import { detailsOf, type SessionDetails } from './session-details.ts'

/** The parts that record when a user has proved who they are. */
export interface ConfirmedParts {
  readonly layers: ReadonlySet<Layer>
  readonly clock: Clock
}

/** Returns the details of a session whose user gives a proof now; none without the layer. */
export function confirmedNow({ layers, clock }: ConfirmedParts): SessionDetails {
  return layers.has('confirmation') ? { confirmedAt: clock.now() } : {}
}

/**
 * Returns whether the user of a session has confirmed it within the last minutes. A time in the
 * future, which a clock that was set back leaves behind, counts as for every record that expires.
 */
export function isConfirmed(
  record: Pick<SessionRecord, 'details'>,
  minutes: number,
  now: number,
): boolean {
  const { confirmedAt } = detailsOf(record)
  if (confirmedAt === undefined) return false
  return isAlive({ createdAt: confirmedAt, expiresAt: confirmedAt + minutes * 60_000 }, now)
}
