import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { requestOf, type Browser } from './browser.ts'
import type { AnyJson } from './json.ts'
import { loggedIn } from './logins.ts'
import { STREAM } from './paths.ts'
import { startService, type Changes } from './service.ts'
import { settled } from './time.ts'
import { watchedBus } from './watched-stores.ts'

/** One event of a stream. */
export interface Told {
  /** `comment` for a comment. */
  readonly event: string
  readonly data: AnyJson
  /** The milliseconds that the client must wait before it reconnects. */
  readonly retry?: number
}

/** A stream of server-sent events that is being read. */
export interface OpenStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All events so far, in order. */
  readonly told: readonly Told[]
  /** Returns everything that was received so far, which is no event where the stream is refused. */
  received(): string
  /** Waits for the next event. `null`: the stream has ended. */
  next(): Promise<Told | null>
  /** Waits for the end. @returns the events that `next` has not returned. */
  rest(): Promise<readonly Told[]>
  /** Stops reading, as a client that is suspended does. */
  pause(): void
  /** Closes the connection. */
  leave(): void
}

/** Opens the stream of the bell, as an `EventSource` of the panel does. */
export async function openStream(
  url: string,
  browser: Browser,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const sent = requestOf(url)(url + STREAM, {
    ...browser.connecting,
    localAddress: browser.address,
    agent: false,
    headers: {
      accept: 'text/event-stream',
      cookie: `svc_session=${browser.cookie('svc_session') ?? ''}`,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      ...headers,
    },
  })
  onTestFinished(() => void sent.destroy())
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end()
  })
  return reading(sent, response)
}

function reading(sent: ClientRequest, response: IncomingMessage): OpenStream {
  const told: Told[] = []
  const state = { over: false }
  let asked = 0
  let wake = (): void => undefined
  let [text, received] = ['', '']
  response.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    told.push(...blocks.map(parse))
    wake()
  })
  // A stream that is cut off has ended too.
  response.on('error', () => undefined)
  response.on('close', () => {
    state.over = true
    wake()
  })
  async function next(): Promise<Told | null> {
    while (asked === told.length && !state.over)
      await new Promise<void>((resolve) => (wake = resolve))
    const one = told[asked] ?? null
    if (one !== null) asked += 1
    return one
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    told,
    received: () => received,
    next,
    async rest() {
      const from = asked
      while ((await next()) !== null);
      return told.slice(from)
    },
    pause: () => void response.pause(),
    leave: () => void sent.destroy(),
  }
}

function parse(block: string): Told {
  if (block.startsWith(':')) return { event: 'comment', data: null }
  const [, event = ''] = /^event: (\S+)$/m.exec(block) ?? []
  const [, data = 'null'] = /^data: (.*)$/m.exec(block) ?? []
  const [, retry] = /^retry: (\d+)$/m.exec(block) ?? []
  return { event, data: JSON.parse(data), ...(retry !== undefined && { retry: Number(retry) }) }
}

/** Matches the event that tells the number of unread entries. */
export const unread = (count: number) =>
  expect.objectContaining({ event: 'unread', data: { unread_count: count } })

/** Matches the event that tells a new entry. */
export const entry = (title: string) => ({
  event: 'notification',
  data: expect.objectContaining({ data: { title, body: null, url: null }, read_at: null }),
})

/** Listeners on the bus for each user with open streams. */
export const PER_USER = 1
/** Listeners on the bus for each open stream. */
export const PER_STREAM = 3

/** Starts a service and opens a stream of U1, whose first count has arrived. */
export async function withStream(changes: Changes = {}) {
  const stores = watchedBus(changes.stores)
  const service = await startService({ ...changes, stores })
  const una = await loggedIn(service, 'u1@x.test')
  const stream = await openStream(service.url, una)
  expect(await stream.next()).toEqual(unread(0))
  await settled()
  return { service, stores, una, stream }
}
