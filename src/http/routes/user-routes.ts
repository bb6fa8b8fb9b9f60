import type { CheckedUsers } from '../../core/checked-users.ts'
import { succeed } from '../wire/respond.ts'
import type { Bodies } from './bodies.ts'
import type { HandlersOf } from './handler.ts'
import { present } from './present-user.ts'

export interface UserRouteParts<User> {
  readonly bodies: Bodies
  readonly users: CheckedUsers<User>
}

/** Creates the handler that returns the authenticated user. */
export function createUserRoutes<User>({
  bodies,
  users,
}: UserRouteParts<User>): HandlersOf<'user', User> {
  return {
    user: bodies.none((context) => succeed('user', present(users, context.user))),
  }
}
