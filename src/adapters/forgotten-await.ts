const FORGOTTEN =
  'the guard of @svc/auth has not decided yet: await what it returns before the route goes on'

/** A response of Node, which begins by this method. HTTP/2 has further ones. */
interface Response {
  writeHead: (this: Response, status: number, ...rest: never[]) => unknown
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
  const { writeHead, stream } = response
  response.writeHead = onlyErrors
  const release = stream === undefined ? null : holdHttp2(response, stream)
  try {
    return await decision
  } finally {
    // Of two guards at once, the first one that decides opens the response.
    if (writeHead !== onlyErrors) response.writeHead = writeHead
    release?.()
  }
}

function onlyErrors(this: Response, status: number, ...rest: never[]): unknown {
  if (status < 400) fail()
  const { writeHead } = Object.getPrototypeOf(this) as Response
  return writeHead.call(this, status, ...rest)
}

/**
 * Replaces the other methods by which a response of HTTP/2 begins. `end` calls `writeHead` too
 * late: the response counts as ended by then, and would ignore the answer of the guard.
 *
 * @returns A function that puts them back.
 */
function holdHttp2(response: Response, stream: object): () => void {
  const releases = [
    hold(response, 'end'),
    hold(stream, 'respond'),
    hold(stream, 'respondWithFD'),
    hold(stream, 'respondWithFile'),
  ]
  return () => {
    for (const release of releases) release()
  }
}

type Method = (this: object, ...args: unknown[]) => unknown

const HELD = {
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
