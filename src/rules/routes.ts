import { sizes, type RouteLimit } from './limits.ts'

/**
 * The gates before a handler. Each level adds one gate to the previous level: none, a session, a
 * verified email, a second factor if required.
 *
 * @see docs/specification.md, "Authentication", AU-4
 */
export type Access = 'guest' | 'session' | 'security' | 'panel'

type Method = 'GET' | 'POST' | 'DELETE'

/** A row of the route table. */
export interface Route {
  readonly name: string
  readonly method: Method
  /** Path below `API_PATH`, matched byte for byte; `{name}` stands for one segment. */
  readonly path: string
  readonly access: Access
  readonly limit: RouteLimit | null
  /** The maximum size of a body; a larger one is refused unread. */
  readonly bodyBytes: number
  /** Served without extending the session. */
  readonly passive?: true
  /** Exists only while a second factor is bound; otherwise 404 for every client. */
  readonly factor?: true
  /** Needs no stateful request, because a link in a mail opens it. */
  readonly stateless?: true
}

/** The path of the API, independent of the panel's prefix. */
export const API_PATH = '/svc/api'

/**
 * The only route table. Handlers, limits, the client, the OpenAPI document and the tests derive
 * from it.
 *
 * @see docs/specification.md, "Endpoints"
 */
export const routes = [
  {
    name: 'csrf',
    method: 'GET',
    path: '/csrf-cookie',
    access: 'guest',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
  },
  {
    name: 'login',
    method: 'POST',
    path: '/login',
    access: 'guest',
    limit: 'login',
    bodyBytes: sizes.bodyBytes,
  },
  {
    name: 'login.two-factor',
    method: 'POST',
    path: '/login/two-factor',
    access: 'guest',
    limit: 'login.two-factor',
    bodyBytes: sizes.bodyBytes,
    factor: true,
  },
  {
    name: 'logout',
    method: 'POST',
    path: '/logout',
    access: 'guest',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
  },
  {
    name: 'user',
    method: 'GET',
    path: '/user',
    access: 'panel',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
  },
  {
    name: 'two-factor',
    method: 'GET',
    path: '/two-factor',
    access: 'security',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
    factor: true,
  },
  {
    name: 'two-factor.setup',
    method: 'POST',
    path: '/two-factor/setup',
    access: 'security',
    limit: 'two-factor.setup',
    bodyBytes: sizes.bodyBytes,
    factor: true,
  },
  {
    name: 'two-factor.confirm',
    method: 'POST',
    path: '/two-factor/confirm',
    access: 'security',
    limit: 'two-factor.confirm',
    bodyBytes: sizes.bodyBytes,
    factor: true,
  },
  {
    name: 'two-factor.codes-seen',
    method: 'POST',
    path: '/two-factor/recovery-codes/seen',
    access: 'security',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
    factor: true,
  },
  {
    name: 'two-factor.disable',
    method: 'DELETE',
    path: '/two-factor',
    access: 'security',
    limit: 'two-factor.disable',
    bodyBytes: sizes.unusedBodyBytes,
    factor: true,
  },
  {
    name: 'svc.email.send',
    method: 'POST',
    path: '/email/verification-notification',
    access: 'session',
    limit: 'svc.email.send',
    bodyBytes: sizes.bodyBytes,
  },
  {
    name: 'svc.email.verify',
    method: 'GET',
    path: '/email/verify/{id}/{hash}',
    access: 'guest',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
    stateless: true,
  },
  {
    name: 'notifications',
    method: 'GET',
    path: '/notifications',
    access: 'panel',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
    passive: true,
  },
  {
    name: 'notifications.unread-count',
    method: 'GET',
    path: '/notifications/unread-count',
    access: 'panel',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
    passive: true,
  },
  {
    name: 'notifications.read',
    method: 'POST',
    path: '/notifications/{id}/read',
    access: 'panel',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
  },
  {
    name: 'notifications.read-all',
    method: 'POST',
    path: '/notifications/read-all',
    access: 'panel',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
  },
  {
    name: 'notifications.stream',
    method: 'GET',
    path: '/notifications/stream',
    access: 'panel',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
    passive: true,
  },
  {
    name: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    access: 'guest',
    limit: null,
    bodyBytes: sizes.unusedBodyBytes,
  },
] as const satisfies readonly Route[]

export type RouteName = (typeof routes)[number]['name']

/** Returns the row of a route. */
export function routeNamed(name: RouteName): Route & { readonly name: RouteName } {
  for (const route of routes) if (route.name === name) return route
  throw new Error(`no route is named ${name}`)
}
