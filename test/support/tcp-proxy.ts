import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What stands between the stores and their server, and can be told to fail. */
export interface TcpProxy {
  /** The address of the server, by way of the proxy. */
  readonly url: string
  /** How many connections were made to it. */
  readonly made: () => number
  /** From now on the server hears everything and nothing that it answers arrives; connections are accepted. */
  hold(): void
  /** From now on connections are ended as soon as they are made. */
  refuse(): void
  /** What was held arrives, and nothing is refused. */
  resume(): void
  /** Ends every connection. */
  cut(): void
}

/** Makes a proxy that is gone when the test is over. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const url = new URL(target)
  const [port, host] = [Number(url.port), url.hostname]
  const sockets = new Set<Socket>()
  const servers = new Set<Socket>()
  // A server that answers nothing does not take its leave either.
  const leaves: (() => void)[] = []
  let made = 0
  let held = false
  let refused = false
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    made += 1
    if (refused) return void client.destroy()
    const server = connect({ port, host, allowHalfOpen: true })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    servers.add(server)
    if (held) server.pause()
    client.on('data', (chunk) => server.write(chunk)).on('end', () => server.end())
    client.on('close', () => server.destroy())
    server.on('data', (chunk) => client.write(chunk))
    server.on('close', () => {
      servers.delete(server)
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
    cut,
    hold() {
      held = true
      servers.forEach((server) => void server.pause())
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
