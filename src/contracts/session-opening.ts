import type { Tenant } from './host.ts'
import type { RequestHeaders } from './request-headers.ts'

/**
 * The part of a browser's request that `openSession` reads: a request of `node:http`, Express or
 * Fastify is one, and so is a web `Request`.
 */
export interface OpeningRequest {
  readonly headers: RequestHeaders
  /** The socket, where the platform has one. Its address is the client's. */
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined
  /** The client's address as the platform reports it, where there is no socket. Default: none. */
  readonly address?: string | null
}

/** The options of `openSession`. */
export interface OpenSessionOptions<User = unknown> {
  /** The request of the browser that receives the session. Its own session ends. */
  readonly request: OpeningRequest
  /** The tenant of the user. Default: `null`. */
  readonly tenant?: Tenant
  /**
   * `asked`: a user who has enabled the second factor enters a code first, on the code page of the
   * panel. `done`: nobody is asked, because the host has seen a second factor, such as the `amr` of
   * an ID token. Must be left out where `by` is a person. Default: `asked`.
   */
  readonly secondFactor?: 'asked' | 'done'
  /**
   * Names how the host has checked the user, for the event `login`; or names the person who acts as
   * the user. Default: `host`.
   */
  readonly by?: string | ActingUser<User>
}

/**
 * The person who acts as another one. The request must be of their own session, and prove that a
 * page of the panel sent it, by the token or as a form of the same origin.
 */
export interface ActingUser<User> {
  readonly user: User
  /** The name that the panel shows. Default: the name of the user, or the email without one. */
  readonly name?: string
}

/** The result of `openSession`. */
export type SessionOpening =
  | {
      /** `code-owed`: the session opens once the user has entered a code in the panel. */
      readonly outcome: 'opened' | 'code-owed'
      /** The `Set-Cookie` lines of the answer. Then redirect to the panel in either case. */
      readonly cookies: readonly string[]
    }
  /** Nothing was opened, and the session of the request has not ended. */
  | {
      readonly outcome: 'refused'
      /**
       * `user-gone`: the user provider does not find the user in this tenant, or the user has
       * changed meanwhile. `user-refused`: the user may not enter the panel.
       *
       * Of a person who acts as another: `not-logged-in`: the request is not of their session, a
       * gate refuses it, or it lacks the proof. `not-allowed`: `impersonation.allows` did not
       * return `true`, they are the user themselves, or act as another already.
       */
      readonly reason: 'user-gone' | 'user-refused' | 'not-logged-in' | 'not-allowed'
    }
