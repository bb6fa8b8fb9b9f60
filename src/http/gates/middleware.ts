import type { Middleware, PlainReply, RequestContext } from '../../contracts/host.ts'
import { ContractError } from '../../core/boundary/checked.ts'
import { readTenant, type Next } from '../../core/boundary/checked-middleware.ts'
import { shownImpersonatorOf } from '../../core/sessions/impersonators.ts'
import type { Exchange } from '../exchange.ts'

/** Runs each middleware inside the one before it, and `next` inside the last. */
export async function runMiddleware(
  middleware: readonly Middleware[],
  exchange: Exchange,
  next: Next,
): Promise<PlainReply> {
  const context = contextOf(exchange)
  const runFrom = async (index: number): Promise<PlainReply> => {
    const current = middleware[index]
    if (current === undefined) return ownedReply(await next())
    return current(context, async () => runFrom(index + 1))
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

const TOO_LATE =
  'a middleware must set context.tenant in svc.middleware, before the session is resolved'

function contextOf(exchange: Exchange): RequestContext {
  return {
    request: exchange.request,
    get tenant() {
      return exchange.tenant
    },
    set tenant(tenant) {
      const read = readTenant(tenant)
      // The session is of the tenant in which it was found, and so is its user.
      if (exchange.holder !== null && read !== exchange.tenant) throw new ContractError(TOO_LATE)
      exchange.tenant = read
    },
    get user() {
      return exchange.holder?.user.host ?? null
    },
    get impersonator() {
      return exchange.holder && shownImpersonatorOf(exchange.holder.session)
    },
  }
}
