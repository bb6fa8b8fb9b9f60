import * as v from 'valibot'
import type { Awaitable, Logger, PlainRequest } from '../../contracts/host.ts'
import { BodyConsumedError } from '../../contracts/errors.ts'
import { withoutPrototype } from '../../contracts/own-properties.ts'
import { isObject } from '../../core/boundary/answers.ts'
import type { MessageKey } from '../../rules/messages.ts'
import type { RouteRow } from '../../rules/routes/row.ts'
import type { Refusal } from './respond.ts'

/** The body of a request, or the reason why it is refused. */
export type Input<T> =
  | { readonly outcome: 'read'; readonly value: T }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8"))?$/i

/** A request, and the largest body that its route takes. */
interface Receiving {
  readonly request: PlainRequest
  readonly bodyBytes: number
}

/** Returns whether the announced body is too large. It is refused before a byte is read. */
export function isTooLarge({ request, bodyBytes }: Receiving): boolean {
  return Number(request.header('content-length') ?? 0) > bodyBytes
}

/** Returns the refusal of a body that is too large. */
export function tooLarge({ bodyBytes }: Receiving): Refusal {
  const key = 'svc::auth.too_large'
  return { key, message: { key, values: { count: bodyBytes } } }
}

/** The parts that report a body which was consumed before the service could read it. */
export interface Reporting {
  readonly logger: Logger
  /** In production, a response does not describe a mistake of the host. */
  readonly production: boolean
}

/**
 * Reads the body that a row describes, and validates it. A body that the row does not use must be
 * well-formed JSON, because a form of another site cannot send that content type. Makes no promise
 * where there is nothing to wait for: docs/performance.md, "An authenticated `GET /svc/api/user`".
 *
 * @see docs/http-api.md, "Requests"; RFC 8259
 */
export function readBody(
  reporting: Reporting,
  receiving: Receiving,
  schema: RouteRow['request'],
): Awaitable<Input<unknown>> {
  if (schema === null && !mayCarryBody(receiving.request)) return NOTHING
  return readInput(reporting, receiving, schema)
}

async function readInput(
  reporting: Reporting,
  receiving: Receiving,
  schema: RouteRow['request'],
): Promise<Input<unknown>> {
  const json = await readJson(reporting, receiving)
  if (json.outcome === 'refused') return json
  if (schema === null) return NOTHING
  if (json.outcome === 'read') return check(json.value, schema)
  if (schema.type === 'optional') return { outcome: 'read', value: undefined }
  return refused(isPlainJson(receiving.request) ? MALFORMED : UNSUPPORTED)
}

const NOTHING: Input<null> = { outcome: 'read', value: null }

async function readJson(
  { logger, production }: Reporting,
  receiving: Receiving,
): Promise<Input<unknown> | { readonly outcome: 'none' }> {
  try {
    return await readBytes(receiving)
  } catch (error) {
    if (!(error instanceof BodyConsumedError)) throw error
    logger.error({ err: error }, 'a body cannot be read')
    return refused(production ? MALFORMED : CONSUMED)
  }
}

async function readBytes(
  receiving: Receiving,
): Promise<Input<unknown> | { readonly outcome: 'none' }> {
  const { request, bodyBytes } = receiving
  if (!mayCarryBody(request)) return NONE
  if (!isPlainJson(request)) {
    // Some platforms pass a stream for a request without a body. Only a received byte proves a
    // body.
    const isCertain = Number(request.header('content-length') ?? 0) > 0
    const isEmpty = !isCertain && (await request.body(0))?.byteLength === 0
    return isEmpty ? NONE : refused(UNSUPPORTED)
  }
  const bytes = await request.body(bodyBytes)
  if (bytes === null) return refused(tooLarge(receiving))
  return bytes.byteLength === 0 ? NONE : parse(bytes)
}

const NONE = { outcome: 'none' } as const
const UNSUPPORTED: Refusal = { key: 'svc::auth.unsupported_media_type' }
const MALFORMED: Refusal = { key: 'svc::auth.malformed' }
const CONSUMED: Refusal = { ...MALFORMED, message: { key: 'svc::auth.body_consumed' } }

/**
 * Returns false if the headers rule out a body, for any method; RFC 9112, section 6. True is not
 * certain: proxies and platforms also announce bodies that are empty.
 */
function mayCarryBody(request: PlainRequest): boolean {
  return (
    request.header('transfer-encoding') !== null ||
    Number(request.header('content-length') ?? 0) !== 0
  )
}

function isPlainJson(request: PlainRequest): boolean {
  const encoding = request.header('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') return false
  return JSON_TYPE.test(request.header('content-type') ?? '')
}

function parse(bytes: Uint8Array): Input<unknown> {
  try {
    // `ignoreBOM` keeps a byte order mark in the text, and `JSON.parse` refuses it.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text, refuseProto)
    return { outcome: 'read', value }
  } catch {
    return refused(MALFORMED)
  }
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a field')
  return value
}

function check(value: unknown, schema: v.GenericSchema): Input<unknown> {
  const fields = withoutPrototype(isObject(value) ? value : {})
  const checked = v.safeParse(schema, fields, ONE_FAULT_PER_FIELD)
  if (checked.success) return { outcome: 'read', value: withoutPrototype(Object(checked.output)) }
  return refused({
    key: 'svc::auth.invalid',
    fields: Object.fromEntries(
      checked.issues.map(({ path = [], message, type, requirement }) => [
        path.map(({ key }) => String(key)).join('.'),
        // The schemas of the route table use only message keys as their messages.
        {
          key: message as MessageKey,
          values: { count: type === 'max_code_points' ? Number(requirement) : 0 },
        },
      ]),
    ),
  })
}

// The first, because later rules assume the earlier ones. Both are given because the host may use
// Valibot, too, and change its defaults.
const ONE_FAULT_PER_FIELD = { abortEarly: false, abortPipeEarly: true } as const

function refused(refusal: Refusal): { readonly outcome: 'refused'; readonly refusal: Refusal } {
  return { outcome: 'refused', refusal }
}
