import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { readGuardOptions } from '../contracts/guard-options.ts'
import type { PlainReply, PlainRequest } from '../contracts/host.ts'
import type { PanelAuth, Verdict } from '../contracts/service-contract.ts'

/** The user that the guard admits. */
export interface AdapterUser {
  readonly id: string
}

/** A request, as it is sent. */
export interface AdapterRequest {
  readonly method?: string
  readonly target: string
  /**
   * Header lines in this order; a name may repeat. `Host` and framing headers are added if missing.
   */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array
  /** Framing of the body. Default: `length`; `none` sends neither framing headers nor a body. */
  readonly framing?: 'length' | 'chunked' | 'none'
  /** `late`: sends the first half of the body, and the rest some time later. Default: `at-once`. */
  readonly arrival?: 'at-once' | 'late'
}

/** An answer, as it was received. */
export interface AdapterAnswer {
  readonly status: number
  /** The reason phrase; undefined without a status line. */
  readonly reason?: string
  /** Header lines, with names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** A running host. */
export interface AdapterServer {
  readonly send: (request: AdapterRequest) => Promise<AdapterAnswer>
  /** Returns the number of calls of the handler of `/host/people`. */
  readonly calls: () => number
  readonly close: () => Promise<void>
}

/** Subject of the adapter suite. */
export interface AdapterSubject {
  /**
   * Runs a host that mounts `auth` at its root with the adapter. `/host/people` is a route of the
   * host behind the adapter's guard and answers 200 with `{"seenBy": id of the user}` as JSON;
   * every other path outside the service answers 404 with `nothing of the host`.
   */
  serve(auth: PanelAuth<AdapterUser>): Promise<AdapterServer>
}

/**
 * One rule of the contract, for any test runner: `for (const { name, run } of cases) test(name, ()
 * => run(subject))`.
 */
export interface AdapterCase {
  readonly name: string
  /** Rejects if the rule is violated. */
  readonly run: (subject: AdapterSubject) => Promise<void>
}

/** Default answer of the service. */
export const DONE: PlainReply = { status: 204, headers: {}, body: null }

/**
 * Sends over a connection of its own to a server on this machine.
 *
 * @example
 * ```ts
 * const send = sendToPort(3000)
 * const { status } = await send({ target: '/host/people' })
 * ```
 */
export function sendToPort(port: number): AdapterServer['send'] {
  return async (request) => {
    const sent = startRequest(port, request)
    const answered = once(sent, 'response')
    // A server that refuses a body may close the connection before all of it is sent.
    sent.on('error', () => undefined)
    sendBody(sent, request)
    const [response] = (await answered) as [IncomingMessage]
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = response
    return { status, reason, headers: pairsOf(rawHeaders), body: await buffer(response) }
  }
}

function startRequest(port: number, request: AdapterRequest): ClientRequest {
  const { method = 'GET', target, headers = [], body, framing = 'length' } = request
  const isHost = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'host'
  const lines: readonly (readonly [string, string])[] = [
    ...(headers.some(isHost) ? [] : [['Host', `127.0.0.1:${port}`] as const]),
    ...headers,
    ...(body === undefined ? [] : framingOf(body, framing)),
  ]
  const options = { host: '127.0.0.1', port, method, path: target, agent: false }
  if (framing === 'none') {
    const sent = httpRequest({ ...options, setHost: false })
    for (const [name, value] of lines) sent.appendHeader(name, value)
    // Node adds framing headers unless they are removed.
    for (const name of ['Content-Length', 'Transfer-Encoding']) sent.removeHeader(name)
    return sent
  }
  // Node sends a flat list of names and values as it is; its types lack this.
  return httpRequest({ ...options, headers: lines.flat() as unknown as Record<string, string> })
}

const LATE_MS = 20

function sendBody(sent: ClientRequest, { body, arrival = 'at-once' }: AdapterRequest): void {
  if (arrival === 'at-once') return void sent.end(body)
  const [first, second] = halvesOf(body ?? new Uint8Array())
  sent.flushHeaders()
  if (first.byteLength > 0) sent.write(first)
  setTimeout(() => sent.end(second), LATE_MS)
}

/** Returns the two parts in which a body arrives late. */
export function halvesOf(body: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const half = Math.ceil(body.byteLength / 2)
  return [body.subarray(0, half), body.subarray(half)]
}

/** A host with a service whose answers a case chooses. */
export interface Host {
  send: AdapterServer['send']
  calls: AdapterServer['calls']
  /** Sets the service's answer. Default: 204. */
  answer(handle: PanelAuth['handle']): void
  /** Sets the guard's verdict. */
  decide(guard: (request: PlainRequest) => Promise<Verdict<AdapterUser>>): void
  /** Returns the last request that reached the service. */
  seen(): PlainRequest
  handled(): number
  /** Returns the last request that reached the guard. */
  guarded(): PlainRequest
}

/** Creates a case from assertions about a host. */
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

/** Members of a service that adapters do not use. */
const idle = {
  watch: async () => ({ outcome: 'refused', reply: DONE }),
  checkGuard: readGuardOptions,
  userFrom: async () => ({ outcome: 'refused', reply: DONE }),
  openSession: async () => ({ outcome: 'refused', reason: 'user-gone' }),
  serves: (target) => target.startsWith('/svc/'),
  fetch: async () => new Response(null, { status: 204 }),
  notify: async () => undefined,
  endSessions: async () => 0,
  unlock: async () => undefined,
  invite: async () => undefined,
  activityOf: async () => [],
  on: () => () => undefined,
  prune: async () => 0,
  ready: async () => undefined,
  health: async () => ({ healthy: true }),
  close: async () => undefined,
} as const satisfies Partial<PanelAuth>

function last(requests: readonly PlainRequest[]): PlainRequest {
  const request = requests.at(-1)
  assert.ok(request, 'no request arrived')
  return request
}

function framingOf(
  body: Uint8Array,
  framing: AdapterRequest['framing'],
): readonly (readonly [string, string])[] {
  return framing === 'chunked'
    ? [['Transfer-Encoding', 'chunked']]
    : [['Content-Length', String(body.byteLength)]]
}

function pairsOf(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : []))
}

/** Returns an answer's body as text. */
export function textOf({ body }: AdapterAnswer): string {
  return Buffer.from(body).toString('utf8')
}

/** Returns the values of a header, one for each line. */
export function valuesOf({ headers }: AdapterAnswer, wanted: string): readonly string[] {
  return headers.flatMap(([name, value]) => (name === wanted ? [value] : []))
}
