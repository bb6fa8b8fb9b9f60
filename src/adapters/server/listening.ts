import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { writeErrorLine } from '../../contracts/write-line.ts'

const LOOPBACK = ['127.0.0.1', '::1'] as const

/** Addresses to listen on; `undefined` is every address. One must work. */
export type Hosts = readonly (string | undefined)[]

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

interface ListeningOptions {
  /** The option that has the port, for the message. */
  readonly option: 'port' | 'metrics.port'
  /** Receives a line when connections cannot be accepted. Default: standard error. */
  readonly log?: ((line: string) => void) | undefined
}

/**
 * Listens on all of the addresses; skips an address family that the machine lacks.
 *
 * @throws {Error} The port is in use or may not be opened, or no address exists.
 */
export async function listenOnAll(
  server: Server,
  wanted: number,
  hosts: Hosts,
  { option, log = writeErrorLine }: ListeningOptions,
): Promise<Listening> {
  try {
    return await listenOnEach(server, wanted, hosts, log)
  } catch (cause) {
    const remedy = 'stop what listens there, or give another port or host'
    throw new Error(`serve: ${option} ${wanted} cannot be opened; ${remedy}`, { cause })
  }
}

async function listenOnEach(
  server: Server,
  wanted: number,
  hosts: Hosts,
  log: (line: string) => void,
): Promise<Listening> {
  const onError = refusedConnections(log)
  const listening: Server[] = []
  let port = wanted
  let missing: unknown
  for (const host of hosts) {
    const next = listening.length === 0 ? server : forwardingTo(server)
    try {
      port = await listenOn(next, port, host)
      next.on('error', onError)
      listening.push(next)
    } catch (error) {
      missing = error
      if (isMissingFamily(error)) continue
      for (const open of listening) open.close()
      throw error
    }
  }
  if (listening.length === 0) throw missing
  return { port, others: listening.slice(1) }
}

function forwardingTo(server: Server): Server {
  return createServer((socket) => void server.emit('connection', socket))
}

async function listenOn(server: Server, port: number, host: string | undefined): Promise<number> {
  // It rejects when the server emits an error first.
  await once(server.listen({ port, host }), 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** The least time between two lines about connections that cannot be accepted. */
const QUIET_MS = 60_000

/**
 * Creates the listener for connections that a server cannot accept, as where the machine has no
 * descriptor left. Without a listener they would end the process.
 */
function refusedConnections(log: (line: string) => void): (error: Error) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return ({ message }) => {
    if (performance.now() - loggedAt < QUIET_MS) return
    loggedAt = performance.now()
    log(`A connection could not be accepted: ${message}`)
  }
}

function isMissingFamily(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
}
