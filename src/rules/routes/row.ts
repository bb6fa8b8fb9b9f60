import type { GenericSchema } from 'valibot'
import type { RouteLimit } from '../limits.ts'

/**
 * The gates before a handler. Each level adds one gate to the previous level: none, a session, a
 * verified email, a second factor if required.
 *
 * @see docs/specification.md, "Authentication", AU-4
 */
export type Access = 'guest' | 'session' | 'security' | 'panel'

/** A part of the service whose routes exist only while the host binds it. */
export type Layer = (typeof LAYERS)[number]

export const LAYERS = [
  'two-factor',
  'passwords',
  'confirmation',
  'sessions',
  'activity',
  'two-factor-devices',
  'impersonation',
  'remember',
  'trusted-devices',
] as const

/** The routes for which an option sets how long ago the user must have confirmed the session. */
export type ConfirmedRoutes = 'two-factor'

/**
 * A row of the route table: everything about a route but its path and its handler. Limits, the
 * client, the OpenAPI document, docs/http-api.md and the tests derive from it.
 *
 * @see docs/specification.md, "Endpoints"
 */
export interface RouteRow extends RouteText {
  readonly access: Access
  /** Default: the limit that has the name of the route, or `null` where no limit has it. */
  readonly limit: RouteLimit | null
  /** Served without extending the session. */
  readonly passive?: true
  /** Exists only while the host binds this layer; otherwise 404 for every client. */
  readonly layer?: Layer
  /** Needs a session that was confirmed lately, if the host sets a time for these routes. */
  readonly confirmed?: ConfirmedRoutes
  /**
   * Serves somebody who acts as another person. Every other route refuses them, except those of the
   * access `panel` that only read, and those for guests.
   */
  readonly impersonated?: true
  /** Needs no stateful request, because a link in a mail opens it. */
  readonly stateless?: true
  /** The body that the route uses; `null`: it uses none. */
  readonly request: GenericSchema | null
  /** The body in place of it while the host binds a layer that adds fields to it. */
  readonly requestWith?: { readonly layer: Layer; readonly request: GenericSchema }
  /** The status of its success. */
  readonly status: number
  /** The JSON body of its success; `null`: it has none. */
  readonly answer: GenericSchema | null
  /** The cookies that its success sets. */
  readonly cookies?: 'SessionCookies' | 'LoginCookies' | 'ExpiredCookies'
  /** The parameters of its query. */
  readonly query?: readonly string[]
}

/**
 * A row as the table has it. What is left out is `null`, except the limit; the status of a success
 * is then 200 if it has a body, and 204 if it has none.
 */
export type WrittenRow = Omit<RouteRow, Usual> & Partial<Pick<RouteRow, Usual>>

type Usual = 'limit' | 'request' | 'answer' | 'status'

/** The tags of the OpenAPI document. */
export const tags = {
  session: 'Login, logout and the user of the session.',
  'two-factor': 'The second factor of the user.',
  password: 'The password of the user.',
  sessions: 'The sessions of the user.',
  activity: 'The security events of the user.',
  'trusted-device': 'The browsers in which no code is asked for.',
  email: 'Verification of the email address.',
  notifications: 'Notifications of the user.',
  document: 'The description of the API itself.',
} as const

/** The texts and examples of a route in the OpenAPI document. */
interface RouteText {
  readonly tag: keyof typeof tags
  readonly summary: string
  readonly description: string
  /** Describes the success. */
  readonly success: string
  /** An example of the request body, if the route uses one. */
  readonly requestExample?: Example
  /** An example of the JSON body of the success, if it has one. */
  readonly answerExample?: Example
}

/** A JSON object. */
interface Example {
  readonly [field: string]: ExampleValue
}

type ExampleValue = string | number | boolean | null | Example | readonly ExampleValue[]
