import type { Tenant } from '../../contracts/host.ts'
import type { OpenService } from './open-service.ts'

/** An email that no user can have. @see RFC 2606, section 2 */
export const NOBODY = 'svc-doctor@users.invalid'

/** An index answers sooner, also from a database that is far away. */
const SLOW_MS = 200
/** The quickest counts: another process may have the processor or the disk meanwhile. */
const MEASUREMENTS = 3

/** Returns the warning about an email that takes long to look up; `null`: it is quick. */
export async function slowLookUp(
  { parts: { users } }: OpenService,
  tenant: Tenant,
): Promise<string | null> {
  let ms = Infinity
  for (let count = 0; count < MEASUREMENTS; count += 1) {
    const start = performance.now()
    await users.findByEmail(NOBODY, tenant)
    ms = Math.min(ms, performance.now() - start)
  }
  if (ms <= SLOW_MS) return null
  return `to look up an email takes ${Math.round(ms)} ms, and each login does it; create an index on the column of the email, or on lower(email) where \`ignoreEmailCase\` is set`
}
