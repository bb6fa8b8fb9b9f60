import { createServer, type Server } from 'node:net'
import { isLoopbackUrl } from './loopback-address.ts'
import type { PanelSettings } from './environment.ts'

const LOOPBACK = ['127.0.0.1', '::1'] as const
/** Every address of the machine, IPv4 and IPv6. */
const EVERYWHERE = [undefined] as const

/** Addresses to listen on. The first must work. */
export type Hosts = readonly [string | undefined, ...(string | undefined)[]]

/**
 * Returns the addresses to listen on. A panel with a loopback address is for this machine only;
 * browsers resolve `localhost` to IPv4 or IPv6.
 */
export function hostsOf({ appUrl, host }: Pick<PanelSettings, 'appUrl' | 'host'>): Hosts {
  if (host === 'localhost') return LOOPBACK
  if (host !== null) return [host]
  return isLoopbackUrl(appUrl) ? LOOPBACK : EVERYWHERE
}

/**
 * Returns the port, or a free one for 0, after checking that it can be listened on. Slow
 * preparations follow this check.
 *
 * @throws {Error} Another program uses the port, or the process lacks the permission.
 */
export async function findPort(port: number, hosts: Hosts): Promise<number> {
  const probe = createServer()
  const found = await listenOn(probe, port, hosts[0])
  await new Promise((resolve) => probe.close(resolve))
  return found
}

/**
 * Listens on all of the addresses; skips an address family that the machine lacks.
 *
 * @returns The servers for all addresses but the first; they pass their connections to the first.
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
