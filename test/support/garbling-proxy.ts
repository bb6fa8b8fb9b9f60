import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Starts a proxy that can send malformed messages to the clients of a server, until the end of the
 * test.
 *
 * @param options.speaksFirst The server sends the first message of a connection.
 */
export async function garblingProxy(target: string, { speaksFirst = false } = {}) {
  const url = new URL(target)
  const [port, host] = [Number(url.port), url.hostname]
  const clients = new Set<Socket>()
  let greeting: Buffer | null = null
  const proxy = createServer((client) => {
    const server = connect({ port, host })
    client.on('error', () => undefined).on('close', () => server.destroy())
    server.on('error', () => undefined).on('close', () => client.destroy())
    if (speaksFirst && greeting !== null) {
      server.destroy()
      client.write(greeting)
      return
    }
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('data', (chunk) => {
      if (greeting === null) server.write(chunk)
      else client.write(greeting)
    })
    server.on('data', (chunk) => client.write(chunk))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    proxy.close()
  })
  // A listening server has the address of a port.
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    connections: () => clients.size,
    say(bytes: Buffer) {
      for (const client of clients) client.write(bytes)
    },
    endAll() {
      for (const client of clients) client.destroy()
    },
    /** Replaces the first message of the server; `null`: it is the server's own. */
    greet: (bytes: Buffer | null) => void (greeting = bytes),
  }
}
