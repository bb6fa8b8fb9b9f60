import type { Tenant } from '../../contracts/host.ts'
import type { OpenService } from './open-service.ts'

/** An email that no user can have. @see RFC 2606, section 2 */
export const NOBODY = 'svc-doctor@users.invalid'

/** Counts where no id is known: an index answers sooner, also from most databases far away. */
const SLOW_MS = 200
/** An index on the email takes no longer than that on the id, also in a large table. */
const SLOWER_THAN_BY_ID_MS = 20
/** The quickest counts: another process may have the processor or the disk meanwhile. */
const MEASUREMENTS = 3

/**
 * Returns the warning about an email that takes long to look up; `null`: it is quick.
 *
 * @param id The id of a user, whose look-up measures the distance of the database. `null`: there is
 *   no user.
 */
export async function slowLookUp(
  { parts: { users } }: OpenService,
  tenant: Tenant,
  id: string | null,
): Promise<string | null> {
  const ms = await quickestOf(async () => users.findByEmail(NOBODY, tenant))
  const limit =
    id === null
      ? SLOW_MS
      : SLOWER_THAN_BY_ID_MS + (await quickestOf(async () => users.findById(id, tenant)))
  if (ms <= limit) return null
  return `to look up an email takes ${Math.round(ms)} ms, and each login does it; create an index on the column of the email, or on lower(email) where \`ignoreEmailCase\` is set; for MariaDB, which has no such index, see docs/users.md, "Emails"`
}

async function quickestOf(lookUp: () => Promise<unknown>): Promise<number> {
  let ms = Infinity
  for (let count = 0; count < MEASUREMENTS; count += 1) {
    const start = performance.now()
    await lookUp()
    ms = Math.min(ms, performance.now() - start)
  }
  return ms
}
