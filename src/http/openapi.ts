import { z } from 'zod'
import type { JsonObject } from '../contracts.ts'
import { payloads, refusalBody } from '../rules/payloads.ts'
import { API_PATH, routes, type Route, type RouteName } from '../rules/routes.ts'
import { SUCCEEDED } from './respond.ts'

/** Schemas are JSON Schema already; the document is JSON by construction. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io }) as JsonObject
  return json
}

/**
 * The OpenAPI document of the route table and the schemas.
 *
 * @param bound Whether a second factor is: without it its routes are not there.
 * @see OpenAPI Specification 3.1
 */
export function openApiDocument(baseUrl: string, bound: boolean): JsonObject {
  const shown = (routes as readonly (Route & { readonly name: RouteName })[]).filter(
    ({ factor }) => bound || factor !== true,
  )
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const route of shown) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Panel authentication',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description: 'Cookie sessions with CSRF protection for the pages of a panel.',
    },
    servers: [{ url: baseUrl + API_PATH }],
    paths,
    components: {
      schemas: { Refusal: schemaOf(refusalBody, 'output') },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: baseUrl.startsWith('https:') ? '__Host-Http-svc_session' : 'svc_session',
        },
        token: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
    },
  }
}

function operation(route: Route & { readonly name: RouteName }): JsonObject {
  const { request } = payloads[route.name]
  return {
    operationId: route.name,
    summary: `${route.method} ${route.path}`,
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(request !== null && {
      requestBody: {
        required: !request.isOptional(),
        content: { 'application/json': { schema: schemaOf(request, 'input') } },
      },
    }),
    responses: { ...successOf(route.name), '4XX': REFUSED, '5XX': REFUSED },
  }
}

function securityOf({ method, access }: Route): readonly JsonObject[] {
  const token = method === 'GET' ? {} : { token: [] }
  return access === 'guest' && method === 'GET' ? [{}] : [{ session: [], ...token }]
}

/** What the address carries besides its path. */
const QUERIES: { readonly [Name in RouteName]?: readonly string[] } = {
  'svc.email.verify': ['expires', 'signature'],
}

function parametersOf({ name, path }: Route & { readonly name: RouteName }): readonly JsonObject[] {
  const parameter = (name: string, where: 'path' | 'query'): JsonObject => ({
    name,
    in: where,
    required: true,
    schema: { type: 'string' },
  })
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path'))
  return [...segments, ...(QUERIES[name] ?? []).map((name) => parameter(name, 'query'))]
}

const REFUSED: JsonObject = {
  description: 'Refused; `key` says why.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

function successOf(name: RouteName): JsonObject {
  const { success } = payloads[name]
  const content: JsonObject | null =
    name === 'notifications.stream'
      ? { 'text/event-stream': { schema: { type: 'string' } } }
      : success && { 'application/json': { schema: schemaOf(success, 'output') } }
  const done = { [SUCCEEDED[name]]: { description: 'Done.', ...(content && { content }) } }
  return name === 'svc.email.send' ? { ...done, '204': NOTHING_TO_VERIFY } : done
}

const NOTHING_TO_VERIFY: JsonObject = { description: 'There is nothing to verify.' }
