import type { Admitted, PanelAuth } from '../contracts/service-contract.ts'
import type { Impersonator } from '../contracts/impersonation.ts'

/** The user that a guard admitted, and the person who acts as the user. */
export type Admission<User> = Pick<Admitted<User>, 'user' | 'impersonator'>

/**
 * The admissions of each service, by request. Two services can guard the same route, and each knows
 * only its own users.
 */
const admissions = new WeakMap<PanelAuth, WeakMap<object, Admission<unknown>>>()

/** Remembers who the guard admitted, for the lifetime of the request. */
export function setAdmission<User>(
  auth: PanelAuth<User>,
  request: object,
  admission: Admission<User>,
): void {
  let admitted = admissions.get(auth)
  if (admitted === undefined) admissions.set(auth, (admitted = new WeakMap()))
  admitted.set(request, admission)
}

/** Returns the user that this service's guard admitted; `null` if no guard of it ran. */
export function getUser<User>(auth: PanelAuth<User>, request: object): User | null {
  // The type is right, because only the guard of the same service has stored the user.
  return (admissions.get(auth)?.get(request)?.user as User | undefined) ?? null
}

/**
 * Returns the person who acts as the user that the service's guard admitted; `null` in the user's
 * own session, and if the route has no guard.
 *
 * @param request The one that `userOf` takes; that of `node:http` for a guard of `@svc/auth/node`.
 *
 * @example
 * ```ts
 * function noteOf(request: object): string {
 *   const person = impersonatorOf(auth, request)
 *   return person === null ? 'by the user' : `by ${person.name} as the user`
 * }
 * ```
 */
export function impersonatorOf(auth: PanelAuth, request: object): Impersonator | null {
  return admissions.get(auth)?.get(request)?.impersonator ?? null
}
