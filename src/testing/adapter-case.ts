import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { PanelAuth, PlainReply, PlainRequest, Verdict } from '../contracts.ts'

/** Whom the guard lets in. */
export interface AdapterUser {
  readonly id: string
}

/** A request as it is sent. */
export interface AdapterRequest {
  readonly method?: string
  readonly target: string
  /** As lines, in this order; a name may stand here twice. `Host` and what frames the body are added where missing. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array
  /** `length` unless named: how the end of the body is told. */
  readonly framing?: 'length' | 'chunked'
}

/** An answer as it came. */
export interface AdapterAnswer {
  readonly status: number
  /** As lines, the names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** A host that is running. */
export interface AdapterServer {
  readonly send: (request: AdapterRequest) => Promise<AdapterAnswer>
  /** How often the handler of `/host/people` was called. */
  readonly calls: () => number
  readonly close: () => Promise<void>
}

/** What the adapter suite is run against. */
export interface AdapterSubject {
  /**
   * Runs a host that mounts `auth` at its root by the adapter. `/host/people` is a route of the host behind the
   * adapter's guard and answers 200 with `{"seenBy": id of the user}` as JSON; everything else that is not the
   * service's answers 404 with `nothing of the host`.
   */
  serve(auth: PanelAuth<AdapterUser>): Promise<AdapterServer>
}

/** One fact of the contract, for any test runner: `for (const { name, run } of cases) test(name, () => run(subject))`. */
export interface AdapterCase {
  readonly name: string
  /** Rejects when the fact does not hold. */
  readonly run: (subject: AdapterSubject) => Promise<void>
}

/** What the service answers where a case says nothing else. */
export const DONE: PlainReply = { status: 204, headers: {}, body: null }

/** Sends over a connection of its own to a server on this machine. */
export function sendToPort(port: number): AdapterServer['send'] {
  return async ({ method = 'GET', target, headers = [], body, framing = 'length' }) => {
    const isHost = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'host'
    const lines = [
      ...(headers.some(isHost) ? [] : [['Host', `127.0.0.1:${port}`]]),
      ...headers,
      ...(body === undefined ? [] : framingOf(body, framing)),
    ]
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, method, path: target, agent: false }
      // Node sends a flat list of names and values as it is; its types know of no such list.
      const sent = httpRequest({
        ...options,
        headers: lines.flat() as unknown as Record<string, string>,
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const chunks: Uint8Array[] = []
        response.on('data', (chunk: Uint8Array) => chunks.push(chunk)).on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, rawHeaders } = response
          resolve({ status, headers: pairsOf(rawHeaders), body: Buffer.concat(chunks) })
        })
      })
      sent.end(body)
    })
  }
}

/** A host with a service that says what a case wants. */
export interface Host {
  send: AdapterServer['send']
  calls: AdapterServer['calls']
  /** What the service answers from now on; 204 until then. */
  answer(handle: PanelAuth['handle']): void
  /** What the guard says from now on. */
  decide(guard: (request: PlainRequest) => Promise<Verdict<AdapterUser>>): void
  /** The last request that reached the service. */
  seen(): PlainRequest
  handled(): number
  /** The last request that reached the guard. */
  guarded(): PlainRequest
}

/** Makes a case of what is to be seen of a host. */
export function adapterCase(name: string, see: (host: Host) => Promise<void>): AdapterCase {
  return {
    name,
    async run(subject) {
      let handle: PanelAuth['handle'] = async () => DONE
      let guard: PanelAuth<AdapterUser>['guard'] = async () => ({ outcome: 'refused', reply: DONE })
      const seen: PlainRequest[] = []
      const guarded: PlainRequest[] = []
      const server = await subject.serve({
        ...idle,
        async handle(request) {
          seen.push(request)
          return handle(request)
        },
        async guard(request) {
          guarded.push(request)
          return guard(request)
        },
      })
      try {
        await see({
          send: server.send,
          calls: server.calls,
          answer: (given) => (handle = given),
          decide: (given) => (guard = given),
          seen: () => last(seen),
          handled: () => seen.length,
          guarded: () => last(guarded),
        })
      } finally {
        await server.close()
      }
    },
  }
}

/** What a service does that adapters do not meet. */
const idle = {
  serves: (target) => target.startsWith('/svc/'),
  fetch: async () => new Response(null, { status: 204 }),
  notify: async () => undefined,
  endSessions: async () => 0,
  on: () => () => undefined,
  prune: async () => 0,
  health: async () => ({ healthy: true }),
  close: async () => undefined,
} as const satisfies Partial<PanelAuth>

function last(requests: readonly PlainRequest[]): PlainRequest {
  const request = requests.at(-1)
  assert.ok(request, 'no request arrived')
  return request
}

function framingOf(body: Uint8Array, framing: 'length' | 'chunked'): string[][] {
  return framing === 'chunked'
    ? [['Transfer-Encoding', 'chunked']]
    : [['Content-Length', String(body.byteLength)]]
}

function pairsOf(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : []))
}
