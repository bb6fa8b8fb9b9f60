import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { mount, serve } from '@svc/auth/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../support/service.ts'

const HOST = '127.0.0.1'
const PROBE = `GET /livez HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`
const HALF = PROBE.length / 2

/** Keeps this process busy, whose server reads nothing meanwhile. */
function blockFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

interface Client {
  readonly socket: Socket
  readonly received: () => string
}

async function connectTo(port: number): Promise<Client> {
  const socket = connect(port, HOST)
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return { socket, received: () => received }
}

const answers = ({ received }: Client): number => received().split('HTTP/1.1 200 ').length - 1

describe('a request that arrived while the process was busy', () => {
  async function startWithKeepAlive(): Promise<number> {
    const { auth } = await startService()
    const server = createServer({ keepAliveTimeout: 200 }, mount(auth))
    const running = await serve(auth, server, { port: 0, host: HOST, signals: false })
    onTestFinished(async () => running.close())
    return running.port
  }

  it('is answered on a connection that was idle until then', async () => {
    const client = await connectTo(await startWithKeepAlive())
    client.socket.write(PROBE)
    await expect.poll(() => answers(client)).toBe(1)
    client.socket.write(PROBE)
    blockFor(2000)
    await expect.poll(() => answers(client)).toBe(2)
  })

  it('is what keeps the connection: an idle one is closed', async () => {
    const client = await connectTo(await startWithKeepAlive())
    client.socket.write(PROBE)
    await expect.poll(() => answers(client)).toBe(1)
    await once(client.socket, 'close')
    expect(answers(client)).toBe(1)
  })

  it('is answered although its head took longer than its time, and another half one is not', async () => {
    const { auth } = await startService()
    const options = { port: 0, host: HOST, signals: false }
    const { port, server, close } = await serve(auth, mount(auth), options)
    onTestFinished(async () => close())
    server.headersTimeout = server.requestTimeout = 1500
    const [whole, half] = [await connectTo(port), await connectTo(port)]
    for (const { socket } of [whole, half]) socket.write(PROBE.slice(0, HALF))
    await pause(100)
    whole.socket.write(PROBE.slice(HALF))
    blockFor(2500)
    await expect.poll(() => answers(whole)).toBe(1)
    await expect.poll(() => half.received()).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe('the requests of a connection of serve', () => {
  async function startHost() {
    const { auth } = await startService()
    let started = 0
    const running = await serve(
      auth,
      (_request, response) => {
        started += 1
        setTimeout(() => response.end(), 10)
      },
      { port: 0, host: HOST, signals: false },
    )
    onTestFinished(async () => running.close())
    return { client: await connectTo(running.port), started: () => started }
  }

  const REQUEST = 'GET / HTTP/1.1\r\nHost: panel\r\n\r\n'

  it('end with the connection where a client sends more than 100 without an answer', async () => {
    const { client, started } = await startHost()
    const closed = new Promise((resolve) =>
      client.socket.on('error', () => undefined).once('close', resolve),
    )
    client.socket.write(REQUEST.repeat(5000))
    await closed
    expect(started()).toBe(100)
  })

  it('are as many as a client wants that waits, and up to 100 at once', async () => {
    const { client, started } = await startHost()
    for (const sent of [1, 99, 100, 100]) {
      const before = answers(client)
      client.socket.write(REQUEST.repeat(sent))
      await expect.poll(() => answers(client)).toBe(before + sent)
    }
    expect(started()).toBe(300)
  })
})
