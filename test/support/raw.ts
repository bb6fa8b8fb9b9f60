import { connect } from 'node:net'
import type { Browser } from './browser.ts'
import { SESSION, TOKEN } from './session-cookies.ts'

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface RawRequest {
  readonly method?: string
  readonly target: string
  /** In this order and as they are, `Host` too; a name may stand here twice. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  readonly version?: string
}

/** The bytes of a request: nothing is checked, completed or normalised but the length of a body. */
export function bytesOf({
  method = 'GET',
  target,
  headers = [],
  body = '',
  version = 'HTTP/1.1',
}: RawRequest): string {
  const framing = body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body, 'latin1'))]]
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`
}

/** Writes bytes to a socket and reads what comes until the other side closes it. */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  address = '127.0.0.1',
): Promise<readonly RawAnswer[]> {
  return answersIn(await converse(url, bytes, address))
}

/** Sends a request as it is, with what a browser has; the connection ends with it. */
export async function sendAs(
  browser: Browser,
  { url }: { readonly url: string },
  { headers = [], ...request }: RawRequest,
): Promise<readonly RawAnswer[]> {
  const token = browser.cookie(TOKEN) ?? ''
  const profile: [string, string][] = [
    ['Host', new URL(url).host],
    ['Origin', url],
    ['Cookie', `${SESSION}=${browser.cookie(SESSION)}; ${TOKEN}=${token}`],
    ['X-XSRF-TOKEN', token],
    ['Connection', 'close'],
  ]
  const bytes = bytesOf({ ...request, headers: [...profile, ...headers] })
  return sendRaw(url, bytes, browser.address)
}

const WITHIN_MS = 8000

async function converse(url: string, bytes: string | Buffer, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), localAddress: address })
    let text = ''
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`not closed within ${WITHIN_MS} ms; it said ${JSON.stringify(text)}`))
    }, WITHIN_MS)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    // A server that closes before it has read everything resets the connection; what it said counts.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(late)
      resolve(text)
    })
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

function answersIn(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? []
    if (status === undefined || end < 0) throw new Error(`no answer: ${JSON.stringify(rest)}`)
    const headers = Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      }),
    )
    // What Node itself refuses has a body of no chunks.
    const from = end + 4 + (headers['transfer-encoding'] === 'chunked' ? '0\r\n\r\n'.length : 0)
    const to = from + Number(headers['content-length'] ?? 0)
    answers.push({ status: Number(status), headers, text: rest.slice(from, to) })
    rest = rest.slice(to)
  }
  return answers
}
