import { streamBell, type StreamEvent } from '../../core/bell/unread-stream.ts'
import { NoTurnError } from '../../process/semaphore.ts'
import { streams } from '../../rules/limits.ts'
import { createEnded } from '../long-requests.ts'
import type { ContextOf } from './handler.ts'
import { presentEntry } from './present-user.ts'
import type { RouteParts } from './route-parts.ts'

/**
 * Streams the bell as server-sent events while the request is admitted.
 *
 * @see docs/http-api.md, "The bell"; WHATWG HTML, "Server-sent events"
 */
export async function* streamNotifications(
  parts: RouteParts,
  { request, session, beginCheck }: ContextOf<'notifications.stream'>,
): AsyncGenerator<string> {
  const { bellSubscriptions, streamOpenings, streamChecks, closing, logger } = parts
  const ended = createEnded(closing, request)
  const events = streamBell({
    subscriptions: bellSubscriptions,
    openings: streamOpenings,
    reads: streamChecks,
    session,
    signal: ended.signal,
    beginCheck,
  })
  let retry: string | null = randomRetry()
  try {
    for await (const event of events) {
      yield `${retry ?? ''}${line(event)}`
      retry = null
    }
  } catch (error) {
    // The status is already sent, so the stream just ends. If the failure lasts, the client
    // receives it as a response when it reconnects.
    if (error instanceof NoTurnError) parts.noteRefusedStream()
    else logger.error({ err: error }, 'a stream of the bell failed')
  } finally {
    ended.abort()
  }
}

/**
 * Returns a random delay for `EventSource`, so that streams that end together do not reconnect
 * together. The client of the panel has a delay of its own.
 */
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
