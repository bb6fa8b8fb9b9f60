import type { Tenant } from '../../contracts/host.ts'
import type { User, Users } from '../boundary/checked-users.ts'

export type UserRefusal = 'user-gone' | 'user-refused'

/** A user whom the host passes in, or the reason why no session may be opened for it. */
export type UserOrRefusal = User | (Pick<User, 'id' | 'email'> & { readonly reason: UserRefusal })

/**
 * Reads a user of the host again. The host may hold a copy that is out of date, and may have found
 * it in another tenant.
 */
export async function findAdmitted(
  users: Users,
  host: unknown,
  tenant: Tenant,
): Promise<UserOrRefusal> {
  const named = users.identify(host)
  const { id, email } = named
  // The user of this tenant with the same id is somebody else.
  const user = users.isIn(named, tenant) ? await users.findById(id, tenant) : null
  if (user === null) return { id, email, reason: 'user-gone' }
  return (await users.mayAccess(user)) ? user : { id, email, reason: 'user-refused' }
}
