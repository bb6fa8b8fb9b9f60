const FORGOTTEN =
  'the guard of @svc/auth has not decided yet: await what it returns before the route goes on'

/** A response of Node. */
interface Response {
  readonly statusCode: number
  /** The stream of HTTP/2. */
  readonly stream?: object
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
  const { stream } = response
  const releases = [hold(response, 'writeHead')]
  // A response of HTTP/2 begins by further methods. Its `end` calls `writeHead` too late: it counts
  // as ended by then, and would ignore the answer of the guard.
  if (stream !== undefined) releases.push(hold(response, 'end'), ...ofStream(stream))
  try {
    return await decision
  } finally {
    for (const release of releases) release()
  }
}

function ofStream(stream: object) {
  return (['respond', 'respondWithFD', 'respondWithFile'] as const).map((name) =>
    hold(stream, name),
  )
}

type Method = (this: object, ...args: unknown[]) => unknown

const HELD = {
  writeHead: errorsOnly('writeHead', (_response, [status]) => status),
  end: errorsOnly('end', (response) => Reflect.get(response, 'statusCode')),
  respond: errorsOnly('respond', (_stream, [headers]) => statusIn(headers)),
  respondWithFD: errorsOnly('respondWithFD', (_stream, [, headers]) => statusIn(headers)),
  respondWithFile: errorsOnly('respondWithFile', (_stream, [, headers]) => statusIn(headers)),
} as const

function errorsOnly(
  name: string,
  statusOf: (target: object, args: readonly unknown[]) => unknown,
): Method {
  return function held(this: object, ...args) {
    if (!(Number(statusOf(this, args)) >= 400)) fail()
    const method = Reflect.get(Object.getPrototypeOf(this) as object, name) as Method
    return method.apply(this, args)
  }
}

function statusIn(headers: unknown): unknown {
  return (headers as { readonly ':status'?: unknown } | undefined)?.[':status']
}

/**
 * Replaces a method.
 *
 * @returns A function that puts it back; of two guards at once, that of the first one.
 */
function hold(target: object, name: keyof typeof HELD): () => void {
  const before: unknown = Reflect.get(target, name)
  if (before === HELD[name]) return () => undefined
  Reflect.set(target, name, HELD[name])
  return () => void Reflect.set(target, name, before)
}

const UNREADABLE = { user: { get: fail }, response: { get: fail } }

/**
 * Makes the promise of a decision fail when a host reads the decision from it. Both parts would be
 * undefined, and no response reads as admitted.
 */
export function failUnawaited<Decision>(decision: Promise<Decision>): Promise<Decision> {
  return Object.defineProperties(decision, UNREADABLE)
}
