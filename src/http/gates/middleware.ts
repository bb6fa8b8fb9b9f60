import type { Logger, Middleware, PlainReply, RequestContext } from '../../contracts/host.ts'
import { withTimeout } from '../../core/timeouts.ts'
import type { Exchange } from '../exchange.ts'

type Next = () => Promise<PlainReply>

interface MiddlewareParts {
  readonly exchange: Exchange
  readonly logger: Logger
}

/** Runs each middleware inside the one before it, and `next` inside the last. */
export async function runMiddleware(
  middleware: readonly Middleware[],
  { exchange, logger }: MiddlewareParts,
  next: Next,
): Promise<PlainReply> {
  const context = contextOf(exchange)
  const runFrom = async (index: number): Promise<PlainReply> => {
    const current = middleware[index]
    if (current === undefined) return ownedReply(await next())
    return runOne(current, context, logger, async () => runFrom(index + 1))
  }
  return runFrom(0)
}

/**
 * Copies a reply. A middleware in plain JavaScript may change it in place, and its parts are
 * shared: the headers with other responses, the placeholder of a guarded route with the check that
 * compares what comes back.
 */
function ownedReply(reply: PlainReply): PlainReply {
  return { ...reply, headers: { ...reply.headers } }
}

function contextOf(exchange: Exchange): RequestContext {
  return {
    request: exchange.request,
    get tenant() {
      return exchange.tenant
    },
    set tenant(tenant) {
      exchange.tenant = tenant
    },
    get user() {
      return exchange.holder?.user.host ?? null
    },
  }
}

/**
 * Runs one middleware. The time before it calls `next()` is limited, so that a middleware that
 * hangs does not hold the request open. The time after it is not, because a stream may take long.
 */
async function runOne(
  middleware: Middleware,
  context: RequestContext,
  logger: Logger,
  next: Next,
): Promise<PlainReply> {
  const calls = nextCalls(next)
  const running = callAsync(() => middleware(context, calls.next))
  try {
    await withTimeout('a middleware', Promise.race([calls.first, running]))
    const reply: unknown = await running
    if (!isReply(reply))
      throw new Error('a middleware returned no reply: it must return what next() resolves to')
    calls.logFailures(logger, null)
    return reply
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

/** Turns an exception into a rejection: a middleware in plain JavaScript may not be async. */
async function callAsync(run: () => Promise<PlainReply>): Promise<PlainReply> {
  return run()
}

/** The calls of `next` by one middleware. */
interface NextCalls {
  readonly next: Next
  /** Resolves at the first call of `next`. */
  readonly first: Promise<void>
  /** Rejects every later call of `next`. */
  close(): void
  /** Logs failures of `next`, past and future, except `known`, which the caller logs. */
  logFailures(logger: Logger, known: unknown): void
}

/**
 * Creates the `next` of a middleware. It can be called once. A middleware may ignore the promise of
 * `next`, so the promise has a handler here: an unhandled rejection would end the process.
 */
function nextCalls(next: Next): NextCalls {
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
    first,
    next() {
      const reply = callNext()
      reply.catch((error: unknown) => {
        failures.push(error)
        report(error)
      })
      return reply
    },
    close: () => void (isCallable = false),
    logFailures(logger, known) {
      report = (error) => {
        if (error !== known)
          logger.error({ err: error }, 'next() failed in a middleware that answered by itself')
      }
      failures.forEach(report)
    },
  }
}

/**
 * Checks the value of a middleware: the types do not stop plain JavaScript from forgetting to
 * return the reply of `next()`.
 */
function isReply(value: unknown): value is PlainReply {
  return typeof value === 'object' && value !== null && 'status' in value && 'headers' in value
}
