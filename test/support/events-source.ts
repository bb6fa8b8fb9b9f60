import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Bus, Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { onTestFinished } from 'vitest'
import { requestOf, type Browser } from './browser.ts'
import type { AnyJson } from './json.ts'

export const STREAM = '/svc/api/notifications/stream'

/** One thing that a stream told. */
export interface Told {
  /** `comment` where it is one. */
  readonly event: string
  readonly data: AnyJson
  /** How many milliseconds the client is told to wait before it reconnects. */
  readonly retry?: number
}

/** A stream of server-sent events that is being read. */
export interface OpenStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Everything that was told, in its order. */
  readonly told: readonly Told[]
  /** Waits for what is told next; `null`: the stream has ended. */
  next(): Promise<Told | null>
  /** Waits for the end. @returns what was told and not asked for. */
  rest(): Promise<readonly Told[]>
  /** Reads no more, as a client does that has fallen asleep. */
  pause(): void
  /** Goes away. */
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
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
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

/** Stores whose bus is watched. */
export interface WatchedBus extends Stores {
  /** How many listen now. */
  listeners(): number
  /** Makes the bus lose what is published; or nothing, again. */
  deafen(deaf: boolean): void
}

export function watchedBus(stores: Stores = memoryStores()): WatchedBus {
  let listening = 0
  let isDeaf = false
  const bus: Bus = {
    publish: async (topic, message) => (isDeaf ? undefined : stores.bus.publish(topic, message)),
    async subscribe(topic, listener) {
      const stop = await stores.bus.subscribe(topic, listener)
      listening += 1
      return () => {
        listening -= 1
        stop()
      }
    },
  }
  const deafen = (deaf: boolean): void => void (isDeaf = deaf)
  return { ...stores, bus, listeners: () => listening, deafen }
}
