/**
 * Lists types of the host, which adds them by declaration merging. `user` is the answer of
 * `GET /user`; without it, the answer has the service's own fields.
 *
 * @example
 * ```ts
 * import type { PresentedBy } from '@svc/auth'
 *
 * declare module '@svc/auth/client' {
 *   interface Register {
 *     readonly user: PresentedBy<typeof auth>
 *   }
 * }
 * ```
 */
export interface Register {}
