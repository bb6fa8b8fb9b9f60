const FORGOTTEN =
  'the guard of @svc/auth has not decided yet: await what it returns before the route goes on'

/** A response of Node. Every one begins by this method, except by the stream API of HTTP/2. */
interface Response {
  writeHead: (this: Response, status: number, ...rest: never[]) => unknown
}

function fail(): never {
  throw new Error(FORGOTTEN)
}

/**
 * Awaits the decision of a guard. A promise is truthy, so a host that forgets `await` would answer
 * everybody: until then, the response refuses to begin a success. Errors may pass, as those of a
 * timeout.
 */
export async function decidedFor<Decision>(
  response: Response,
  decision: Promise<Decision>,
): Promise<Decision> {
  const { writeHead } = response
  response.writeHead = onlyErrors
  try {
    return await decision
  } finally {
    // Of two guards at once, the first one that decides opens the response.
    if (writeHead !== onlyErrors) response.writeHead = writeHead
  }
}

function onlyErrors(this: Response, status: number, ...rest: never[]): unknown {
  if (status < 400) fail()
  const { writeHead } = Object.getPrototypeOf(this) as Response
  return writeHead.call(this, status, ...rest)
}

const UNREADABLE = { user: { get: fail }, response: { get: fail } }

/**
 * Makes the promise of a decision fail when a host reads the decision from it. Both parts would be
 * undefined, and no response reads as admitted.
 */
export function failUnawaited<Decision>(decision: Promise<Decision>): Promise<Decision> {
  return Object.defineProperties(decision, UNREADABLE)
}
