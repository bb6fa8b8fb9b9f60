import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands before a server, and can fall silent as one that hangs. */
export interface StandIn {
  /** The server's address, by way of the stand-in. */
  readonly url: string
  /** From now on nothing comes through; connections are taken and not answered. */
  hang(): void
  /** Ends what hung, and lets everything through again. */
  recover(): void
}

/** Puts a stand-in before the server at the address, until the end of the test. */
export async function standIn(address: string): Promise<StandIn> {
  const { hostname, port } = new URL(address)
  const sockets = new Set<Socket>()
  let hangs = false
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void (hangs || to.write(bytes)))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        if (!hangs) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(async () => {
    end()
    server.close()
    await once(server, 'close')
  })
  const own = server.address()
  if (typeof own !== 'object' || own === null) throw new Error('no port was given')
  const url = new URL(address)
  url.port = String(own.port)
  return {
    url: url.href,
    hang: () => void (hangs = true),
    recover() {
      end()
      hangs = false
    },
  }
}
