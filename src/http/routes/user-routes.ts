import type { Users } from '../../core/boundary/checked-users.ts'
import { succeed } from '../wire/respond.ts'
import type { Bodies } from './bodies.ts'
import type { HandlersOf } from './handler.ts'
import { present } from './present-user.ts'

export interface UserRouteParts {
  readonly bodies: Bodies
  readonly users: Users
}

/** Creates the handler that returns the authenticated user. */
export function createUserRoutes({ bodies, users }: UserRouteParts): HandlersOf<'user'> {
  return {
    user: bodies.none((context) => succeed('user', present(users, context.user))),
  }
}
