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
  const servers = new Set<Socket>()
  let made = 0
  let held = false
  let refused = false
  const proxy = createServer((client) => {
    made += 1
    if (refused) return void client.destroy()
    const server = connect(port, host)
    servers.add(server)
    if (held) server.pause()
    client.on('data', (chunk) => server.write(chunk))
    server.on('data', (chunk) => client.write(chunk))
    client.on('error', () => undefined).on('close', () => server.destroy())
    server
      .on('error', () => undefined)
      .on('close', () => {
        servers.delete(server)
        client.destroy()
      })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = (): void => servers.forEach((server) => void server.destroy())
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
    },
  }
}
