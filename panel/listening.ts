import { createServer, type Server } from 'node:net'
import { isLoopbackUrl } from './loopback-address.ts'
import type { PanelSettings } from './environment.ts'

const LOOPBACK = ['127.0.0.1', '::1'] as const
/** Every address of the machine, of both families. */
const EVERYWHERE = [undefined] as const

/** The addresses to listen on. The first has to work. */
export type Hosts = readonly [string | undefined, ...(string | undefined)[]]

/**
 * Returns what to listen on. A panel whose address is a loopback one is for this machine; browsers resolve
 * `localhost` to either family.
 */
export function hostsOf({ appUrl, host }: Pick<PanelSettings, 'appUrl' | 'host'>): Hosts {
  if (host === 'localhost') return LOOPBACK
  if (host !== null) return [host]
  return isLoopbackUrl(appUrl) ? LOOPBACK : EVERYWHERE
}

/**
 * Returns the port, or a free one for 0, once it is sure that it can be listened on; what has to be done before the
 * panel can answer is done after that.
 *
 * @throws {Error} Another program listens there, or this one may not.
 */
export async function findPort(port: number, hosts: Hosts): Promise<number> {
  const probe = createServer()
  const found = await listenOn(probe, port, hosts[0])
  await new Promise((resolve) => probe.close(resolve))
  return found
}

/**
 * Listens on all of the addresses; a family that the machine does not have is left out.
 *
 * @returns the servers for all addresses but the first, which hand their connections to the first.
 */
export async function listenOnAll(
  server: Server,
  port: number,
  [first, ...others]: Hosts,
): Promise<readonly Server[]> {
  await listenOn(server, port, first)
  const more: Server[] = []
  for (const host of others) {
    const other = createServer((socket) => void server.emit('connection', socket))
    try {
      await listenOn(other, port, host)
      more.push(other)
    } catch (error) {
      if (isMissingFamily(error)) continue
      for (const listening of [server, ...more]) listening.close()
      throw error
    }
  }
  return more
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
