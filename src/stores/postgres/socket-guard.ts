import type { EventEmitter } from 'node:events'
import { followTransactions } from './transaction-status.ts'

/*
 * The driver throws when a server sends a malformed message. This happens inside an event of its
 * socket, so it ends the process. The guard ends only the connection instead.
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
  for (const listener of stream.listeners('data')) {
    if (others.has(listener)) continue
    // Listeners of 'data' receive a chunk.
    const receive = listener as Listener
    stream.off('data', receive)
    stream.on('data', (chunk: Buffer) => {
      try {
        receive.call(stream, chunk)
      } catch (cause) {
        stream.destroy(new Error('PostgreSQL sent a malformed message', { cause }))
      }
    })
  }
}
