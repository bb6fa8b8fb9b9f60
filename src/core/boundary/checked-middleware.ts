import type { Logger, Middleware, PlainReply, Tenant } from '../../contracts/host.ts'
import { withTimeout } from '../timeouts.ts'
import { ContractError, kindOf } from './checked.ts'

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

/**
 * Checks the value of a middleware: the types do not stop plain JavaScript from forgetting to
 * return the reply of `next()`.
 */
function isReply(value: unknown): value is PlainReply {
  return typeof value === 'object' && value !== null && 'status' in value && 'headers' in value
}
