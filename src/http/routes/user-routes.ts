import type { Users } from '../../core/boundary/checked-users.ts'
import { impersonatorOf } from '../../core/sessions/impersonators.ts'
import { succeed } from '../wire/respond.ts'
import type { HandlersOf } from './handler.ts'
import { present } from './present-user.ts'

export interface UserRouteParts {
  readonly users: Users
}

/** Creates the handler that returns the authenticated user. */
export function createUserRoutes({ users }: UserRouteParts): HandlersOf<'user'> {
  return {
    user({ user, session }) {
      const impersonator = impersonatorOf(session)
      const presented = present(users, user)
      if (impersonator === null) return succeed('user', presented)
      return succeed('user', { ...presented, impersonated_by: { name: impersonator.name } })
    },
  }
}
