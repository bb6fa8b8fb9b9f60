import type { PanelAuth } from '../contracts/service-contract.ts'

/**
 * The admitted users of each service, by request. Two services can guard the same route, and each
 * knows only its own users.
 */
const admissions = new WeakMap<PanelAuth, WeakMap<object, unknown>>()

/** Remembers the user that the guard admitted, for the lifetime of the request. */
export function setUser<User>(auth: PanelAuth<User>, request: object, user: User): void {
  let users = admissions.get(auth)
  if (users === undefined) admissions.set(auth, (users = new WeakMap()))
  users.set(request, user)
}

/** Returns the user that this service's guard admitted; `null` if no guard of it ran. */
export function getUser<User>(auth: PanelAuth<User>, request: object): User | null {
  // The type is right, because only the guard of the same service has stored the user.
  return (admissions.get(auth)?.get(request) as User | undefined) ?? null
}
