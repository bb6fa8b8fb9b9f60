import type { PanelAuth } from '../contracts.ts'

const admissions = new WeakMap<object, { readonly auth: PanelAuth; readonly user: unknown }>()

/** Remembers whom the guard of this service has let in with a request, for as long as the request lives. */
export function setUser<User>(auth: PanelAuth<User>, request: object, user: User): void {
  admissions.set(request, { auth, user })
}

/** The user that the guard of this very service let in; `null` where no guard of it stands before the route. */
export function getUser<User>(auth: PanelAuth<User>, request: object): User | null {
  const admitted = admissions.get(request)
  // Only the guard of the same service has put it there.
  return admitted !== undefined && admitted.auth === auth ? (admitted.user as User) : null
}
