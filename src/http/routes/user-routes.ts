import { impersonatorOf } from '../../core/sessions/impersonators.ts'
import { succeed } from '../wire/respond.ts'
import type { HandlersOf } from './handler.ts'
import { present } from './present-user.ts'
import type { RouteParts } from './route-parts.ts'

/** Creates the handler that returns the authenticated user. */
export function createUserRoutes({ users }: RouteParts): HandlersOf<'user'> {
  return {
    user({ user, session }) {
      const impersonator = impersonatorOf(session)
      const presented = present(users, user)
      if (impersonator === null) return succeed('user', presented)
      return succeed('user', { ...presented, impersonated_by: { name: impersonator.name } })
    },
  }
}
