import { createServer, type Server } from 'node:net'

const LOOPBACK = ['127.0.0.1', '::1'] as const

/** Addresses to listen on; `undefined` is every address. The first must work. */
export type Hosts = readonly [string | undefined, ...(string | undefined)[]]

/** Returns the addresses of a host. Browsers resolve `localhost` to IPv4 or IPv6. */
export function hostsOf(host: string | undefined): Hosts {
  return host === 'localhost' ? LOOPBACK : [host]
}

/** A server that listens. */
export interface Listening {
  readonly port: number
  /** The servers of all addresses but the first; they pass their connections to the first. */
  readonly others: readonly Server[]
}

/** Listens on all of the addresses; skips an address family that the machine lacks. */
export async function listenOnAll(
  server: Server,
  wanted: number,
  [first, ...rest]: Hosts,
): Promise<Listening> {
  const port = await listenOn(server, wanted, first)
  const others: Server[] = []
  for (const host of rest) {
    const other = createServer((socket) => void server.emit('connection', socket))
    try {
      await listenOn(other, port, host)
      others.push(other)
    } catch (error) {
      if (isMissingFamily(error)) continue
      for (const listening of [server, ...others]) listening.close()
      throw error
    }
  }
  return { port, others }
}

async function listenOn(server: Server, port: number, host: string | undefined): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function isMissingFamily(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
}
