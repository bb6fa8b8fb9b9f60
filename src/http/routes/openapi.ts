import type { JsonObject } from '../../contracts/host.ts'
import { times } from '../../rules/limits.ts'
import en from '../../rules/locales/en-service.json' with { type: 'json' }
import { refusalBody } from '../../rules/refusals.ts'
import { API_PATH } from '../../rules/paths.ts'
import { exists, requestOf, routes, type Route } from '../../rules/routes.ts'
import { isSafe } from '../../rules/wire.ts'
import {
  componentsFor,
  cookieParameters,
  refusalHeaders,
  RETRY_AFTER,
  successHeaders,
} from './openapi-headers.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { tags, type Layer } from '../../rules/routes/row.ts'

// Bounded, because each tenant may have an address of its own.
const MOST_TEXTS = 100
const texts = new Map<string, string>()

/**
 * Returns the OpenAPI document as text. Answers share it: any client may send a thousand requests
 * in one packet and read none of the answers, each of 70 KB, which then wait in memory.
 */
export function openApiText(baseUrl: string, bound: ReadonlySet<Layer>): string {
  const name = [baseUrl, ...bound].join(' ')
  const kept = texts.get(name)
  if (kept !== undefined) return kept
  const text = JSON.stringify(openApiDocument(baseUrl, bound))
  // The oldest, so that requests for many tenants do not remove all of them.
  if (texts.size >= MOST_TEXTS) texts.delete([...texts.keys()][0] ?? '')
  texts.set(name, text)
  return text
}

/**
 * Returns the OpenAPI document of the route table and the schemas.
 *
 * @param bound The layers whose routes exist.
 * @see OpenAPI Specification 3.1
 */
export function openApiDocument(baseUrl: string, bound: ReadonlySet<Layer>): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Panel authentication',
      version: '1',
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
      contact: { name: 'The operator of the panel', url: baseUrl },
      description: 'Cookie sessions with CSRF protection for the pages of a panel.',
    },
    servers: [{ url: baseUrl + API_PATH }],
    ...operationsFor(bound),
    components: {
      schemas: { Refusal: (refusalSchema ??= jsonSchemaOf(refusalBody, 'output')) },
      ...componentsFor(baseUrl.startsWith('https:')),
    },
  }
}

// Built by the first request, because most services never serve the document, and only once,
// because any client may request it.
const operations = new Map<string, JsonObject>()
let refusalSchema: JsonObject | null = null

function operationsFor(bound: ReadonlySet<Layer>): JsonObject {
  const name = [...bound].toSorted().join(' ')
  const built = operations.get(name) ?? operationsOf(bound)
  operations.set(name, built)
  return built
}

function operationsOf(bound: ReadonlySet<Layer>): JsonObject {
  const rows = routes.filter((row) => exists(row, bound))
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const row of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row, bound) }
  }
  const used = new Set<string>(rows.map(({ tag }) => tag))
  const shown = Object.entries(tags)
    .filter(([name]) => used.has(name))
    .toSorted(([one], [other]) => one.localeCompare(other))
  return { tags: shown.map(([name, description]) => ({ name, description })), paths }
}

function operation(route: Route, bound: ReadonlySet<Layer>): JsonObject {
  const { tag, summary, description, requestExample: example } = route
  const request = requestOf(route, bound)
  return {
    operationId: route.name,
    tags: [tag],
    summary,
    description,
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(request !== null && {
      requestBody: {
        required: request.type !== 'optional',
        content: json(jsonSchemaOf(request, 'input'), example),
      },
    }),
    responses: {
      ...successOf(route),
      '4XX': { ...REFUSED, headers: refusalHeaders(route) },
      default: UNAVAILABLE,
    },
  }
}

function securityOf({ method, access }: Route): readonly JsonObject[] {
  const token = isSafe(method) ? {} : { token: [] }
  return access === 'guest' && isSafe(method) ? [{}] : [{ session: [], ...token }]
}

/** Descriptions of the path and query parameters. */
const parameterTexts: Readonly<Record<string, string>> = {
  id: 'The id of what the path names, or of the user to whom the link was sent.',
  hash: 'The SHA-256 of the email address to which the link was sent.',
  expires: 'The expiry time of the link, in seconds since 1970.',
  signature: 'The signature of the service.',
}

function parametersOf({ path, query = [], cookies }: Route): readonly JsonObject[] {
  const parameter = (name: string, where: 'path' | 'query'): JsonObject => ({
    name,
    in: where,
    required: true,
    description: parameterTexts[name] ?? name,
    schema: { type: 'string' },
  })
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path'))
  const queries = query.map((name) => parameter(name, 'query'))
  return [...segments, ...queries, ...cookieParameters(cookies)]
}

/** Returns the content of a body in JSON. */
function json(schema: JsonObject, example?: JsonObject): JsonObject {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

const REFUSAL = { $ref: '#/components/schemas/Refusal' }

const REFUSED: JsonObject = {
  description: 'Refused. `key` says why, and is stable.',
  content: json(REFUSAL, {
    message: en['svc::auth.failed'],
    key: 'svc::auth.failed',
    errors: { email: [en['svc::auth.failed']] },
  }),
}

// Named `default` for linters: they require a success of each operation, accept `default` as one,
// and do not count the redirect of a route that has no other.
const UNAVAILABLE: JsonObject = {
  description:
    'Something that the service needs does not answer. Try again in `retry_after` seconds.',
  headers: { 'Retry-After': RETRY_AFTER },
  content: json(REFUSAL, {
    message: en['svc::auth.unavailable'],
    key: 'svc::auth.unavailable',
    retry_after: times.outageRetrySeconds,
  }),
}

function successOf(route: Route): JsonObject {
  const { name, status, answer, success: description, answerExample: example } = route
  const headers = successHeaders(route)
  const content: JsonObject | null =
    name === 'notifications.stream'
      ? { 'text/event-stream': { schema: { type: 'string' }, example: STREAM_EXAMPLE } }
      : answer && json(jsonSchemaOf(answer, 'output'), example)
  const done = {
    [status]: {
      description,
      ...(content && { content }),
      ...(headers && { headers }),
    },
  }
  return name === 'svc.email.send'
    ? { ...done, '204': { ...NOTHING_TO_VERIFY, ...(headers && { headers }) } }
    : done
}

const STREAM_EXAMPLE = 'event: unread\ndata: {"unread_count":1}\n\n'
const NOTHING_TO_VERIFY: JsonObject = { description: 'There is nothing to verify.' }
