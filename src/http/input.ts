import type { z } from 'zod'
import type { PlainRequest } from '../contracts.ts'
import { sizes } from '../rules/limits.ts'
import type { MessageKey } from '../rules/messages.ts'
import type { Refusal } from './respond.ts'

/** What a request carries, or why it cannot be read. */
export type Input<T> =
  | { readonly outcome: 'read'; readonly value: T }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8"))?$/i

/** Whether a request announces more than any body may have; judged before anything is read. */
export function isTooLarge(request: PlainRequest): boolean {
  return Number(request.header('content-length') ?? 0) > sizes.bodyBytes
}

export const TOO_LARGE: Refusal = {
  key: 'svc::auth.too_large',
  message: { key: 'svc::auth.too_large', values: { count: sizes.bodyBytes } },
}

/**
 * Reads the body that a schema asks for.
 *
 * @see http-contract.md, "Routes"; RFC 8259
 */
export async function readInput<T>(request: PlainRequest, schema: z.ZodType<T>): Promise<Input<T>> {
  const json = await readJson(request)
  return json.outcome === 'refused' ? json : check(json.value, schema)
}

/** Reads a body that may be left out. */
export async function readOptional<T>(
  request: PlainRequest,
  schema: z.ZodType<T>,
): Promise<Input<T | null>> {
  return carriesBody(request) ? readInput(request, schema) : { outcome: 'read', value: null }
}

/** Reads past a body that nobody asked for; it has to be well-formed JSON all the same. */
export async function readNothing(request: PlainRequest): Promise<Input<unknown>> {
  return readJson(request)
}

async function readJson(request: PlainRequest): Promise<Input<unknown>> {
  if (!isPlainJson(request)) return refused({ key: 'svc::auth.unsupported_media_type' })
  const bytes = await request.body(sizes.bodyBytes)
  if (bytes === null) return refused(TOO_LARGE)
  const parsed = parse(bytes)
  return parsed === MALFORMED
    ? refused({ key: 'svc::auth.malformed' })
    : { outcome: 'read', value: parsed }
}

/** Whether a request has a body, whatever its method; RFC 9112, section 6. */
export function carriesBody(request: PlainRequest): boolean {
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

const MALFORMED = Symbol('malformed')

function parse(bytes: Uint8Array): unknown {
  try {
    // A byte order mark stays in the text, where it is no JSON.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return JSON.parse(text, refuseProto)
  } catch {
    return MALFORMED
  }
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is no field')
  return value
}

function check<T>(value: unknown, schema: z.ZodType<T>): Input<T> {
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const checked = schema.safeParse(fields)
  if (checked.success) return { outcome: 'read', value: checked.data }
  return refused({
    key: 'svc::auth.invalid',
    fields: Object.fromEntries(
      checked.error.issues.map((issue) => [
        issue.path.join('.'),
        // The schemas of rules/payloads.ts say nothing but keys of the catalogue.
        {
          key: issue.message as MessageKey,
          values: { count: issue.code === 'too_big' ? Number(issue.maximum) : 0 },
        },
      ]),
    ),
  })
}

function refused(refusal: Refusal): { readonly outcome: 'refused'; readonly refusal: Refusal } {
  return { outcome: 'refused', refusal }
}
