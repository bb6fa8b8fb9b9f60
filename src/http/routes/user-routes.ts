import type { Users } from '../../core/boundary/checked-users.ts'
import { succeed } from '../wire/respond.ts'
import type { HandlersOf } from './handler.ts'
import { present } from './present-user.ts'

export interface UserRouteParts {
  readonly users: Users
}

/** Creates the handler that returns the authenticated user. */
export function createUserRoutes({ users }: UserRouteParts): HandlersOf<'user'> {
  return {
    user: (context) => succeed('user', present(users, context.user)),
  }
}
