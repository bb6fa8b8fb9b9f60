import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy between the stores and their server, which can be told to fail. */
export interface TcpProxy {
  /** The address of the server, by way of the proxy. */
  readonly url: string
  /** The number of connections that were made to it. */
  readonly made: () => number
  /** From now on the server hears everything and nothing that it answers arrives; connections are accepted. */
  hold(): void
  /** From now on each answer of the server takes so much longer. */
  slow(ms: number): void
  /** From now on connections are ended as soon as they are made. */
  refuse(): void
  /** Releases the held data, and refuses nothing more. */
  resume(): void
  /** Ends every connection. */
  cut(): void
  /** Forgets every connection, as a firewall does: nothing passes any more, not even its end. New ones work. */
  forget(): void
  /** New connections lead to another server. */
  leadTo(target: string): void
  /** The number of open connections of the other side. */
  readonly open: () => number
}

/** Makes a proxy that is gone after the test. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const url = new URL(target)
  let { port, hostname: host } = url
  const clients = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  const sockets = new Set<Socket>()
  const servers = new Set<Socket>()
  // A server that answers nothing does not take its leave either.
  const leaves: (() => void)[] = []
  let made = 0
  let held = false
  let refused = false
  let slowMs = 0
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    made += 1
    if (refused) return void client.destroy()
    const server = connect({ port: Number(port), host, allowHalfOpen: true })
    clients.add(client)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    servers.add(server)
    if (held) server.pause()
    const isForgotten = (): boolean => forgotten.has(client)
    client
      .on('data', (chunk) => isForgotten() || server.write(chunk))
      .on('end', () => {
        clients.delete(client)
        if (!isForgotten()) server.end()
      })
    client.on('close', () => {
      clients.delete(client)
      if (!isForgotten()) server.destroy()
    })
    const answer = (chunk: Buffer): unknown => isForgotten() || client.write(chunk)
    server.on('data', (chunk) => (slowMs > 0 ? setTimeout(answer, slowMs, chunk) : answer(chunk)))
    server.on('close', () => {
      servers.delete(server)
      if (isForgotten()) return
      if (held) leaves.push(() => void client.destroy())
      else client.destroy()
    })
    server.on('end', () => server.end())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = (): void => sockets.forEach((socket) => void socket.destroy())
  onTestFinished(() => {
    cut()
    proxy.close()
  })
  // A listening server has the address of a port.
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    made: () => made,
    open: () => clients.size,
    cut,
    forget() {
      for (const client of clients) forgotten.add(client)
    },
    leadTo(other) {
      const { port: otherPort, hostname } = new URL(other)
      port = otherPort
      host = hostname
    },
    hold() {
      held = true
      servers.forEach((server) => void server.pause())
    },
    slow(ms) {
      slowMs = ms
    },
    refuse() {
      refused = true
    },
    resume() {
      held = false
      refused = false
      servers.forEach((server) => void server.resume())
      for (const leave of leaves.splice(0)) leave()
    },
  }
}
