import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { checkAnswer } from './answer-check.ts'
import type { AnyJson } from './json.ts'

/** An answer, read whole. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON; `null` where there is none. */
  readonly json: AnyJson
}

export interface Sending {
  readonly body?: unknown
  /** Sent as they are; `null` takes a header of the browser profile away. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
}

/**
 * A browser as the service sees it: cookies, an origin, and the token header that axios and Angular
 * send by themselves. Each has an address of its own, so that no test uses up another's limits.
 */
export interface Browser {
  /** The client's address on the loopback network. */
  readonly address: string
  /** Further options of its connections. */
  readonly connecting: Connecting
  cookie(name: string): string | null
  setCookie(name: string, value: string | null): void
  get(path: string, sending?: Sending): Promise<Answer>
  post(path: string, body?: unknown, sending?: Sending): Promise<Answer>
  send(method: string, path: string, sending?: Sending): Promise<Answer>
  /** Fetches the cookies and logs in. */
  logIn(email: string, password?: string): Promise<Answer>
  /** Another browser at the same address, with the same cookies. */
  copy(): Browser
}

/** The address of a name, and the trusted certificates. */
export type Connecting = Pick<RequestOptions, 'lookup' | 'ca'>

let lastAddress = 1

/** Addresses of 127.0.0.0/8, one after the other. */
export function freshAddress(): string {
  lastAddress += 1
  return `127.0.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 2}`
}

/** @param url Where the service listens; the origin that the browser shows is the same unless named. */
export function browserAt(
  url: string,
  {
    origin = url,
    address = freshAddress(),
    connecting = {},
  }: {
    readonly origin?: string
    readonly address?: string
    readonly connecting?: Connecting
  } = {},
  jar: Map<string, string> = new Map(),
): Browser {
  const profile = (method: string): Record<string, string> => ({
    origin,
    referer: `${origin}/admin/main`,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
    ...(method !== 'GET' &&
      jar.has('XSRF-TOKEN') && { 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '' }),
  })

  async function send(
    method: string,
    path: string,
    { body, headers = {} }: Sending = {},
  ): Promise<Answer> {
    const payload =
      typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : body === undefined
          ? null
          : JSON.stringify(body)
    const framing =
      payload === null
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(payload)),
          }
    const all = Object.entries({ ...profile(method), ...framing, ...headers }).filter(
      ([, value]) => value !== null,
    )
    const answer = await exchange(url + path, {
      method,
      address,
      connecting,
      headers: Object.fromEntries(all),
      payload,
    })
    checkAnswer(method, path, answer)
    for (const line of answer.headers['set-cookie'] ?? []) keep(jar, line)
    return answer
  }

  const browser: Browser = {
    address,
    connecting,
    cookie: (name) => jar.get(name) ?? null,
    setCookie: (name, value) => void (value === null ? jar.delete(name) : jar.set(name, value)),
    get: async (path, sending) => send('GET', path, sending),
    post: async (path, body, sending) =>
      send('POST', path, { ...sending, ...(body !== undefined && { body }) }),
    send,
    async logIn(email, password = PASSWORD) {
      await browser.get('/svc/api/csrf-cookie')
      return browser.post('/svc/api/login', { email, password })
    },
    copy: () => browserAt(url, { origin, address, connecting }, new Map(jar)),
  }
  return browser
}

/** The password of everybody in the tests. */
export const PASSWORD = 'correct horse battery staple'

function keep(jar: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const at = pair.indexOf('=')
  if (/;\s*max-age=0/i.test(line)) jar.delete(pair.slice(0, at))
  else jar.set(pair.slice(0, at), pair.slice(at + 1))
}

interface Exchange {
  readonly method: string
  readonly address: string
  readonly connecting: Connecting
  readonly headers: Record<string, unknown>
  readonly payload: string | Buffer | null
}

async function exchange(
  url: string,
  { method, address, connecting, headers, payload }: Exchange,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = requestOf(url)(
      url,
      {
        ...connecting,
        method,
        localAddress: address,
        headers: headers as Record<string, string>,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('error', reject).on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const isJson = response.headers['content-type']?.startsWith('application/json') === true
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson && text !== '' ? JSON.parse(text) : null,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(payload ?? undefined)
  })
}

/** Node's way to ask, by the scheme. */
export function requestOf(url: string): typeof httpsRequest {
  return url.startsWith('https:') ? httpsRequest : httpRequest
}
