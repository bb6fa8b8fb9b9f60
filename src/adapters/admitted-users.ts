import type { PanelAuth } from '../service-contract.ts'

const admissions = new WeakMap<object, { readonly auth: PanelAuth; readonly user: unknown }>()

/** Remembers the user that the guard admitted, for the lifetime of the request. */
export function setUser<User>(auth: PanelAuth<User>, request: object, user: User): void {
  admissions.set(request, { auth, user })
}

/** Returns the user that this service's guard admitted; `null` if no guard of it ran. */
export function getUser<User>(auth: PanelAuth<User>, request: object): User | null {
  const admitted = admissions.get(request)
  // The type is right, because only the guard of the same service has stored the user.
  return admitted !== undefined && admitted.auth === auth ? (admitted.user as User) : null
}
