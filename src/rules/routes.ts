import * as v from 'valibot'
import { isRouteLimit, sizes } from './limits.ts'
import { activityRows } from './routes/activity-rows.ts'
import { paths, type RouteName } from './paths.ts'
import { confirmationRows } from './routes/confirmation-rows.ts'
import { notificationRows } from './routes/notification-rows.ts'
import { emailRows } from './routes/email-rows.ts'
import { impersonationRows } from './routes/impersonation-rows.ts'
import { passwordRows } from './routes/password-rows.ts'
import type { Layer, RouteRow, WrittenRow } from './routes/row.ts'
import { sessionListRows } from './routes/session-list-rows.ts'
import { sessionRows } from './routes/session-rows.ts'
import { deviceRows } from './routes/device-rows.ts'
import { trustedDeviceRows } from './routes/trusted-device-rows.ts'
import { twoFactorRows } from './routes/two-factor-rows.ts'

/** The only route table, by name. */
const rows = {
  ...sessionRows,
  ...twoFactorRows,
  ...confirmationRows,
  ...deviceRows,
  ...passwordRows,
  ...sessionListRows,
  ...impersonationRows,
  ...activityRows,
  ...trustedDeviceRows,
  ...emailRows,
  ...notificationRows,
  openapi: {
    access: 'guest',
    answer: v.looseObject({ openapi: v.string() }),
    tag: 'document',
    summary: 'Describe the API',
    description: 'Returns this document.',
    success: 'The OpenAPI document.',
    answerExample: { openapi: '3.1.0' },
  },
} satisfies Readonly<Record<RouteName, WrittenRow>>

type RouteRows = typeof rows

/** A route with its name and its path. */
export interface Route extends RouteRow {
  readonly name: RouteName
  readonly method: (typeof paths)[RouteName]['method']
  readonly path: string
  /** The maximum size of a body; a larger one is refused unread. */
  readonly bodyBytes: number
}

/** Every route, in the order of the documents. */
export const routes = (Object.keys(paths) as RouteName[]).map(routeNamed)

function routeNamed(name: RouteName): Route {
  const row: WrittenRow = rows[name]
  const { request = null, answer = null } = row
  const limit = row.limit ?? (isRouteLimit(name) ? name : null)
  const status = row.status ?? (answer === null ? 204 : 200)
  const bodyBytes = request === null ? sizes.unusedBodyBytes : sizes.bodyBytes
  // Without a prototype: the gates ask for properties that most rows leave out.
  const route = Object.create(null) as Route
  return Object.assign(route, paths[name], row, { name, limit, request, answer, status, bodyBytes })
}

/** The routes by their names. */
export const routeTable = Object.fromEntries(
  routes.map((route) => [route.name, route]),
) as Readonly<Record<RouteName, Route>>

/** The access level of a route. */
export type AccessOf<Name extends RouteName> = RouteRows[Name]['access']

/** The routes that exist only while the host binds their layer. */
export type LayerRoute = {
  [Name in RouteName]: RouteRows[Name] extends { readonly layer: Layer } ? Name : never
}[RouteName]

/** Returns whether a route exists for a host that binds these layers. */
export function exists({ layer }: Pick<RouteRow, 'layer'>, bound: ReadonlySet<Layer>): boolean {
  return layer === undefined || bound.has(layer)
}

/**
 * Returns whether a route serves somebody who acts as another person. A new route does not, unless
 * it only reads what the panel shows, so that none of a person's account is forgotten.
 */
export function servesImpersonated({ access, method, impersonated }: Route): boolean {
  return access === 'guest' || impersonated === true || (access === 'panel' && method === 'GET')
}

/** Returns the schema of a route's body for a host that binds these layers. */
export function requestOf(
  { request, requestWith }: Pick<RouteRow, 'request' | 'requestWith'>,
  bound: ReadonlySet<Layer>,
): RouteRow['request'] {
  return requestWith !== undefined && bound.has(requestWith.layer) ? requestWith.request : request
}

type PartOf<Written, Part extends string> =
  Written extends Readonly<Record<Part, infer Given>> ? Given : null

type Body<Schema> = Schema extends v.GenericSchema ? v.InferInput<Schema> : null

/** The request body of a route, with the fields of every layer. */
export type RequestBody<Name extends RouteName> = Body<
  RouteRows[Name] extends { readonly requestWith: { readonly request: infer Request } }
    ? Request
    : PartOf<RouteRows[Name], 'request'>
>
/** The success body of a route. */
export type SuccessBody<Name extends RouteName> = Body<PartOf<RouteRows[Name], 'answer'>>
