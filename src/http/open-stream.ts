import type { PlainReply, PlainRequest } from '../contracts/host.ts'
import { NoTurnError } from '../process/semaphore.ts'
import { streams } from '../rules/limits.ts'
import type { Service } from './service.ts'
import { sessionIdsIn } from './wire/cookies.ts'

/**
 * Opens a stream in its turn. Streams that a restart ends together reconnect together, and must not
 * delay other requests.
 *
 * Only a request with a session waits, which is looked up when no turn is free. Anybody can send
 * the others, so they are refused at once, and keep no stream of a user waiting.
 *
 * @param open Answers the request.
 * @returns `null`: the node can open no further stream now.
 */
export async function openInTurn(
  service: Service,
  request: PlainRequest,
  open: (service: Service) => Promise<PlainReply>,
): Promise<PlainReply | null> {
  const { heldStreams, streamOpenings, waitingStreams, noteRefusedStream } = service
  const ids = sessionIdsIn(request.header('cookie'))
  if (ids.length === 0) return open(service)
  if (streamOpenings.isFree() && !heldStreams.isFull())
    return streamOpenings.run(async () => open(service))
  const sessionId = await firstKnown(service, ids)
  if (sessionId === null) return open({ ...service, userResolver: NOBODY })
  const waiting = waitingStreams.get(sessionId) ?? 0
  waitingStreams.set(sessionId, waiting + 1)
  try {
    if (waiting < streams.waitingPerSession && !heldStreams.isFull())
      return await streamOpenings.run(async () => open(service))
  } catch (error) {
    if (!(error instanceof NoTurnError)) throw error
  } finally {
    leave(waitingStreams, sessionId)
  }
  noteRefusedStream()
  return null
}

function leave(waitingStreams: Map<string, number>, sessionId: string): void {
  const left = (waitingStreams.get(sessionId) ?? 1) - 1
  if (left === 0) waitingStreams.delete(sessionId)
  else waitingStreams.set(sessionId, left)
}

/** Resolves nobody: the session was looked up before, and is not looked up again. */
const NOBODY = { resolve: async (): Promise<null> => null }

/**
 * Returns the id of a living session. The tenant is not known yet, so it may be a session of
 * another tenant, which the gates refuse.
 */
async function firstKnown(
  { ready, sessions }: Service,
  ids: readonly string[],
): Promise<string | null> {
  await ready()
  for (const id of ids) if (await sessions.exists(id)) return id
  return null
}
