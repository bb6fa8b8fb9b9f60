import type { Logger, Middleware, PlainReply, Tenant } from '../../contracts/host.ts'
import { withTimeout } from '../timeouts.ts'
import { isObject, record } from './answers.ts'
import { ContractError, kindOf, type Wrong } from './checked.ts'

/** Answers a request as far as no middleware does. */
export type Next = () => Promise<PlainReply>

/**
 * Checks each middleware of the host. The time before it calls `next()` is limited, so that a
 * middleware that hangs does not hold the request open. The time after it is not, because a stream
 * may take long.
 */
export function checkMiddleware(
  middleware: readonly Middleware[],
  logger: Logger,
): readonly Middleware[] {
  return middleware.map(
    (one) => async (context, next) => runOne((once) => one(context, once), logger, next),
  )
}

/**
 * Returns the tenant that a middleware has set.
 *
 * @throws {ContractError} It is neither a text nor `null`, so no session could be found in it.
 */
export function readTenant(tenant: unknown): Tenant {
  if (tenant === null || typeof tenant === 'string') return tenant
  throw new ContractError(
    `a middleware must set context.tenant to a string or null; got ${kindOf(tenant)}`,
  )
}

async function runOne(
  run: (next: Next) => Promise<PlainReply>,
  logger: Logger,
  next: Next,
): Promise<PlainReply> {
  const calls = nextCalls(next)
  // Turns an exception into a rejection: a middleware in plain JavaScript may not be async.
  const running = (async () => run(calls.next))()
  try {
    await withTimeout('a middleware', Promise.race([calls.first, running]))
    const reply = readReply(await running, wrongReply)
    calls.logFailures(logger, null)
    // The spread keeps the symbol of an admitted request; an instance has the rest in accessors. A
    // host may write `Content-Type`: a name in two spellings would be sent twice.
    return { ...reply, status: reply.status, body: reply.body, headers: lowerCased(reply.headers) }
  } catch (error) {
    calls.logFailures(logger, error)
    // After a timeout nothing awaits the middleware. Without a handler, a later failure would be an
    // unhandled rejection, which ends the process.
    running.catch(() => undefined)
    throw error
  } finally {
    calls.close()
  }
}

/** Returns headers by lower-case name. The last one of a name counts; cookies are all kept. */
function lowerCased(headers: PlainReply['headers']): PlainReply['headers'] {
  const lower = new Map<string, string | readonly string[]>()
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    lower.set(name, name === 'set-cookie' ? [lower.get(name) ?? [], value].flat() : value)
  }
  return Object.fromEntries(lower)
}

/**
 * Creates the `next` of a middleware. It can be called once. A middleware may ignore the promise of
 * `next`, so the promise has a handler here: an unhandled rejection would end the process.
 */
function nextCalls(next: Next) {
  let isCallable = true
  let report = (_error: unknown): void => undefined
  const failures: unknown[] = []
  let resolveFirst = (): void => undefined
  const first = new Promise<void>((resolve) => (resolveFirst = resolve))

  async function callNext(): Promise<PlainReply> {
    if (!isCallable)
      throw new Error('a middleware called next() twice, or after its request was over')
    isCallable = false
    resolveFirst()
    return next()
  }

  return {
    /** Resolves at the first call of `next`. */
    first,
    next: (): Promise<PlainReply> => {
      const reply = callNext()
      reply.catch((error: unknown) => {
        failures.push(error)
        report(error)
      })
      return reply
    },
    /** Rejects every later call of `next`. */
    close: () => void (isCallable = false),
    /** Logs failures of `next`, past and future, except `known`, which the caller logs. */
    logFailures(logger: Logger, known: unknown) {
      report = (error) => {
        if (error !== known)
          logger.error({ err: error }, 'next() failed in a middleware that answered by itself')
      }
      failures.forEach(report)
    },
  }
}

const wrongReply: Wrong = (promised, got) =>
  new ContractError(
    `a middleware must return what next() resolves to; its own reply needs ${promised}; got ${kindOf(got)}`,
  )

/** A header, a line feed, and its value; RFC 9110, section 5. */
const HEADER = /^[\w!#$%&'*+.^`|~-]+\n[\t\x20-\x7e\x80-\xff]*$/

/**
 * Reads the reply of a middleware. The types do not stop plain JavaScript from another one, which
 * an adapter would fail to send: the client would wait, or the process would end.
 */
const readReply = record<PlainReply>({
  status(status, wrong) {
    if (typeof status === 'number' && /^[2-5]\d\d$/.test(String(status))) return status
    throw wrong('a whole number from 200 to 599', status)
  },
  headers(headers, wrong) {
    // A `Headers` or a `Map` has no entries of its own: all its headers would be lost.
    const isPlain = isObject(headers) && !(Symbol.iterator in headers)
    if (isPlain && Object.entries(headers).every(isHeader)) return headers as PlainReply['headers']
    throw wrong('a plain object of texts of one line', headers)
  },
  body(body, wrong) {
    if (body === null || typeof body === 'string' || body instanceof Uint8Array) return body
    if (isObject(body) && Symbol.asyncIterator in body) return body as AsyncIterable<string>
    throw wrong('a string, bytes, an async iterable or null', body)
  },
})

const isHeader = ([name, value]: readonly [string, unknown]): boolean =>
  [value].flat().every((line) => typeof line === 'string' && HEADER.test(`${name}\n${line}`))
