import type { EventEmitter } from 'node:events'
import { followTransactions } from './transaction-status.ts'

/*
 * The driver throws or loops for ever when a server sends a malformed message. This happens inside
 * an event of its socket, so it ends or hangs the process. The guard ends only the connection
 * instead.
 */

type Listener = (chunk: Buffer) => void

interface Stream extends EventEmitter {
  destroy(error: Error): unknown
}

/** The members of `pg.Client` that the guard uses. Without them it does nothing. */
interface GuardableClient extends Partial<Pick<EventEmitter, 'on'>> {
  readonly connection?: { attachListeners?: (stream: Stream) => void }
}

/** Returns a subclass whose clients are guarded. */
export function guardedClass<Made extends object, Args extends unknown[]>(
  Client: new (...args: Args) => Made,
): new (...args: Args) => Made {
  return new Proxy(Client, {
    construct: (target, args, newTarget) => guarded(Reflect.construct(target, args, newTarget)),
  })
}

/** Guards a client before it connects. */
export function guarded<Client extends object>(client: Client): Client {
  followTransactions(client)
  const guardable: GuardableClient = client
  const { connection } = guardable
  const attach = connection?.attachListeners
  if (connection === undefined || attach === undefined) return client
  connection.attachListeners = (stream) => {
    const others = new Set(stream.listeners('data'))
    attach.call(connection, stream)
    guardStream(stream, others)
  }
  // A breaking connection may emit several errors, also after the last listener was removed.
  guardable.on?.('error', () => undefined)
  return client
}

function guardStream(stream: Stream, others: ReadonlySet<unknown>): void {
  const check = messageCheck()
  for (const listener of stream.listeners('data')) {
    if (others.has(listener)) continue
    // Listeners of 'data' receive a chunk.
    const receive = listener as Listener
    stream.off('data', receive)
    stream.on('data', (chunk: Buffer) => {
      try {
        check(chunk)
        receive.call(stream, chunk)
      } catch (cause) {
        stream.destroy(new Error('PostgreSQL sent a malformed message', { cause }))
      }
    })
  }
}

const HEADER_BYTES = 5
/** The longest message that PostgreSQL sends. */
const LONGEST_BYTES = 2 ** 30
/** ErrorResponse and NoticeResponse: the driver would search endlessly for their end. */
const WITH_FIELDS = new Set(['E', 'N'].map((code) => code.charCodeAt(0)))

/**
 * Creates a check that follows the messages of a connection from chunk to chunk.
 *
 * @throws {Error} from the returned function, before the driver receives a message that would crash
 *   it.
 */
function messageCheck(): Listener {
  const header = Buffer.alloc(HEADER_BYTES)
  let headerBytes = 0
  let bodyBytes = 0
  let fields: Buffer[] = []

  function begin(): void {
    const length = header.readUInt32BE(1)
    if (length < 4 || length > LONGEST_BYTES) throw new Error(`a message of ${length} bytes`)
    bodyBytes = length - 4
    fields = []
  }

  function end(): void {
    if (WITH_FIELDS.has(header[0] ?? 0)) ensureFields(Buffer.concat(fields))
    headerBytes = 0
  }

  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (headerBytes < HEADER_BYTES) {
        const taken = chunk.copy(header, headerBytes, at, at + HEADER_BYTES - headerBytes)
        headerBytes += taken
        at += taken
        if (headerBytes < HEADER_BYTES) return
        begin()
      }
      const taken = Math.min(bodyBytes, chunk.length - at)
      if (WITH_FIELDS.has(header[0] ?? 0)) fields.push(chunk.subarray(at, at + taken))
      at += taken
      bodyBytes -= taken
      if (bodyBytes === 0) end()
    }
  }
}

/**
 * Checks that fields end with their message.
 *
 * @throws {Error} The body is not a list of fields that ends with the message.
 */
function ensureFields(body: Buffer): void {
  let at = 0
  while (at < body.length && body[at] !== 0) {
    const ends = body.indexOf(0, at + 1)
    if (ends === -1) throw new Error('a field that does not end')
    at = ends + 1
  }
  if (at !== body.length - 1) throw new Error('fields that do not end with their message')
}
