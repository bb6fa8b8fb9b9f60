import { streamBell, type StreamEvent } from '../../core/bell/unread-stream.ts'
import { streams } from '../../rules/limits.ts'
import { admittedForMs } from '../long-requests.ts'
import { presentEntry } from './present-user.ts'
import type { Exchange, Service } from '../service.ts'
import { holderOf, ownerOf } from '../exchange.ts'

/**
 * The bell as server-sent events, for as long as the request would be admitted.
 *
 * @see docs/http-api.md, "The bell"; WHATWG HTML, "Server-sent events"
 */
export async function* bellStream<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): AsyncGenerator<string> {
  const { bellSubscriptions, streamChecks, closing } = service
  const { signal } = exchange.request
  const events = streamBell({
    subscriptions: bellSubscriptions,
    reads: streamChecks,
    owner: ownerOf(exchange),
    sessionKey: holderOf(exchange).session.key,
    signal: signal === undefined ? closing : AbortSignal.any([closing, signal]),
    stillAdmitted: async () => admittedForMs(service, exchange),
  })
  let retry: string | null = randomRetry()
  try {
    for await (const event of events) {
      yield `${retry ?? ''}${line(event)}`
      retry = null
    }
  } catch (error) {
    // The stream ends; the client comes back and meets whatever is wrong as an answer.
    service.logger.error({ err: error }, 'a stream of the bell failed')
  }
}

/** Streams that end together must not be reopened together; the client of the panel waits by itself. */
function randomRetry(): string {
  const [least, most] = streams.retrySeconds
  return retryAfter(least + Math.random() * (most - least))
}

function retryAfter(seconds: number): string {
  return `retry: ${Math.round(seconds * 1000)}\n`
}

function line(sent: StreamEvent): string {
  switch (sent.event) {
    case 'comment':
      return ': still here\n\n'
    case 'unread':
      return message('unread', { unread_count: sent.count })
    case 'notification':
      return message('notification', presentEntry(sent.entry))
    case 'replaced':
      return `${retryAfter(streams.replacedRetrySeconds)}${message('replaced', {})}`
  }
}

function message(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
