import type { PlainReply, PlainRequest } from '@svc/auth'

/** A request as an adapter hands it over. */
interface Plain {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: unknown
  readonly address?: string | null
}

/** Makes a request for `auth.handle` and `auth.guard`, which needs no socket. */
export function plainRequest({
  method = 'GET',
  target,
  headers = {},
  body,
  address = '192.0.2.1',
}: Plain): PlainRequest {
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body))
  const framing: Record<string, string> =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(bytes.byteLength) }
  return {
    method,
    target,
    address,
    header: (name) => ({ ...framing, ...headers })[name] ?? null,
    body: async () => bytes,
  }
}

/** Returns the cookies that a reply sets, by name. */
export function cookiesOf({ headers }: PlainReply): Readonly<Record<string, string>> {
  const lines = headers['set-cookie'] ?? []
  return Object.fromEntries(
    [lines].flat().map((line) => {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** Returns the `Cookie` header of these cookies. */
export function cookieHeader(cookies: Readonly<Record<string, string>>): string {
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}
