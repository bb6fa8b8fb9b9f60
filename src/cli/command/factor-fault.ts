import { reasonOfError } from '../../contracts/errors.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import type { OpenService } from './open-service.ts'

/** Returns why the enabled second factor of a user cannot be read; `null` if it can. */
export async function factorFaultOf(
  { parts: { factor } }: OpenService,
  user: User,
): Promise<string | null> {
  try {
    await factor?.checkReadable(user)
    return null
  } catch (error) {
    return `cannot be read: ${reasonOfError(error)}`
  }
}
