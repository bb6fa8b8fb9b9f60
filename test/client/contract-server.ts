import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

/** A request that reached the server. */
interface Seen {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An answer of the server: a status, and a body as JSON or as it is. */
export interface Said {
  readonly status: number
  readonly body?: unknown
  readonly html?: string
}

/** A server that plays the contract, and the page of a browser that talks to it. */
export interface ContractServer {
  readonly origin: string
  readonly seen: Seen[]
  /** Answers of a route by its line, such as `POST /svc/api/login`; the last one stays. */
  readonly answers: Map<string, Said[]>
  /** The token that the server accepts. */
  token: string
  /** The cookies of the page, as `document.cookie` shows them. */
  readonly jar: Map<string, string>
  /** The place of the token: a service on another site has no cookie that the page can read. */
  givesToken: 'in both' | 'in the cookie' | 'in the header'
  /** The header about the session; `null` for none. */
  session: string | null
  fetch: typeof fetch
  close(): Promise<void>
}

/** Starts the server and puts a `document` and a `location` of its origin into place. */
export async function startContract(): Promise<ContractServer> {
  const jar = new Map<string, string>()
  const contract: Omit<ContractServer, 'origin' | 'close' | 'fetch'> = {
    seen: [],
    answers: new Map(),
    token: 'token/1+a=',
    jar,
    givesToken: 'in the cookie',
    session: null,
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      contract.seen.push({ line, headers: request.headers, body: Buffer.concat(chunks).toString() })
      const said = answerTo(contract, line, request.headers)
      if (line === 'GET /svc/api/csrf-cookie' && said.status === 204) {
        giveToken(contract, response)
      }
      response.statusCode = said.status
      if (said.html !== undefined) response.end(said.html)
      else response.end(said.body === undefined ? '' : JSON.stringify(said.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubGlobal('location', new URL(`${origin}/admin/main`))
  vi.stubGlobal('document', {
    get cookie() {
      return cookieLine(jar)
    },
  })
  return Object.assign(contract, {
    origin,
    fetch: (input: string | URL | Request, init?: RequestInit) => withJar(jar, input, init),
    async close() {
      vi.unstubAllGlobals()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

function giveToken(
  { token, givesToken, session }: Pick<ContractServer, 'token' | 'givesToken' | 'session'>,
  response: ServerResponse,
): void {
  const cookie = `XSRF-TOKEN=${encodeURIComponent(token)}; Path=/`
  if (givesToken !== 'in the header') response.setHeader('Set-Cookie', cookie)
  if (givesToken !== 'in the cookie') response.setHeader('X-XSRF-TOKEN', token)
  if (session !== null) response.setHeader('X-Svc-Session', session)
}

/** A refusal as the service words it. */
export function refusal(status: number, key: string, more: object = {}): Said {
  return { status, body: { message: `the server's words for ${key}`, key, ...more } }
}

function answerTo(
  { answers, token }: Pick<ContractServer, 'answers' | 'token'>,
  line: string,
  headers: IncomingHttpHeaders,
): Said {
  if (!line.startsWith('GET') && headers['x-xsrf-token'] !== token) {
    return refusal(419, 'svc::auth.csrf_mismatch')
  }
  const said = answers.get(line) ?? []
  return (said.length > 1 ? said.shift() : said[0]) ?? { status: 204 }
}

async function withJar(
  jar: Map<string, string>,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, init)
  request.headers.set('Cookie', cookieLine(jar))
  const response = await fetch(request)
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    jar.set(name, value)
  }
  return response
}

function cookieLine(jar: Map<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}
