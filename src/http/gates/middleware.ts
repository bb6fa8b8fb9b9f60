import type { Logger, Middleware, PlainReply, RequestContext } from '../../contracts.ts'
import { withTimeout } from '../../core/timeouts.ts'
import type { Exchange } from '../exchange.ts'

type Next = () => Promise<PlainReply>

/** What middleware runs with. */
interface Surroundings<User> {
  readonly exchange: Exchange<User>
  readonly logger: Logger
}

/** Runs middleware one inside the other, and `next` inside the last. */
export async function runMiddleware<User>(
  middleware: readonly Middleware[],
  { exchange, logger }: Surroundings<User>,
  next: Next,
): Promise<PlainReply> {
  const context = contextOf(exchange)
  const from = async (at: number): Promise<PlainReply> => {
    const one = middleware[at]
    return one === undefined ? next() : runOne(one, context, logger, async () => from(at + 1))
  }
  return from(0)
}

function contextOf<User>(exchange: Exchange<User>): RequestContext {
  return {
    request: exchange.request,
    get tenant() {
      return exchange.tenant
    },
    set tenant(tenant) {
      exchange.tenant = tenant
    },
    get user() {
      return exchange.holder?.user ?? null
    },
  }
}

/** Limits the time before `next()`, so that a middleware that hangs there does not hold the request for ever. */
async function runOne(
  middleware: Middleware,
  context: RequestContext,
  logger: Logger,
  next: Next,
): Promise<PlainReply> {
  const calls = nextCalls(next)
  const reply = settled(() => middleware(context, calls.next))
  try {
    await withTimeout('a middleware', Promise.race([calls.first, reply]))
    const given: unknown = await reply
    if (!isReply(given))
      throw new Error('a middleware returned no reply: it must return what next() resolves to')
    calls.logFailures(logger, null)
    return given
  } catch (error) {
    calls.logFailures(logger, error)
    // After a timeout the middleware may still fail, with nobody waiting for it.
    reply.catch(() => undefined)
    throw error
  } finally {
    calls.close()
  }
}

/** A middleware in plain JavaScript may throw before it has made a promise. */
async function settled(run: () => Promise<PlainReply>): Promise<PlainReply> {
  return run()
}

/** The `next` of one middleware. */
interface NextCalls {
  readonly next: Next
  /** Resolves when `next` is called for the first time. */
  readonly first: Promise<void>
  /** Makes every later call of `next` fail. */
  close(): void
  /** Logs what `next` failed with, now or later; `known` is logged by the caller. */
  logFailures(logger: Logger, known: unknown): void
}

/**
 * Gives a middleware its `next`, once. A middleware need not wait for `next`, so every promise that it was given has a
 * handler here: an unhandled rejection would end the process.
 */
function nextCalls(next: Next): NextCalls {
  let isOpen = true
  let report = (_error: unknown): void => undefined
  const failures: unknown[] = []
  let passOn = (): void => undefined
  const first = new Promise<void>((resolve) => (passOn = resolve))

  async function goOn(): Promise<PlainReply> {
    if (!isOpen) throw new Error('a middleware called next() twice, or after its request was over')
    isOpen = false
    passOn()
    return next()
  }

  return {
    first,
    next() {
      const rest = goOn()
      rest.catch((error: unknown) => {
        failures.push(error)
        report(error)
      })
      return rest
    },
    close: () => void (isOpen = false),
    logFailures(logger, known) {
      report = (error) => {
        if (error !== known)
          logger.error({ err: error }, 'next() failed in a middleware that answered by itself')
      }
      failures.forEach(report)
    },
  }
}

/** Hosts in plain JavaScript forget the `return` before `next()`. */
function isReply(given: unknown): given is PlainReply {
  return typeof given === 'object' && given !== null && 'status' in given && 'headers' in given
}
