import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { openStream } from '../support/bell-stream.ts'
import { makeCertificate } from '../support/certificate.ts'
import { browserAt, PASSWORD } from '../support/browser.ts'
import { temporaryFolder } from '../support/panel.ts'

const FILE = 'test/adapters/signal-host.mjs'

interface Host {
  readonly url: string
  /** Sends a signal. @returns the exit code and the milliseconds until the process had ended. */
  readonly stop: (signal: NodeJS.Signals) => Promise<{ code: number | null; ms: number }>
  readonly process: ChildProcess
  /** Returns what it has written so far, on either output. */
  readonly output: () => string
}

async function startHost(environment: Readonly<Record<string, string>> = {}): Promise<Host> {
  const port = await freePort()
  const env = { PATH: process.env['PATH'], PORT: String(port), PASSWORD, ...environment }
  const host = spawn(process.execPath, [FILE], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [host.stdout, host.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  onTestFinished(() => void host.kill('SIGKILL'))
  await once(host.stdout, 'data')
  return {
    url: `http://127.0.0.1:${port}`,
    process: host,
    output: () => output,
    async stop(signal) {
      const began = performance.now()
      const ended = once(host, 'exit') as Promise<[code: number | null]>
      host.kill(signal)
      const [code] = await ended
      return { code, ms: performance.now() - began }
    },
  }
}

describe.each(['SIGTERM', 'SIGINT'] as const)('at %s, closeOnSignals', (signal) => {
  it('ends the process before a request has arrived', async () => {
    const { stop } = await startHost()
    expect(await stop(signal)).toEqual({ code: 0, ms: expect.toSatisfy(isAtOnce) })
  })

  it('ends the stream of the bell, idle connections and then the process', async () => {
    const { url, stop } = await startHost()
    const una = browserAt(url)
    await una.logIn('u1@x.test')
    const stream = await openStream(url, una)
    expect(stream.status).toBe(200)
    // The agent of `fetch` keeps its connection.
    await (await fetch(`${url}/svc/api/csrf-cookie`)).text()
    expect(await stop(signal)).toEqual({ code: 0, ms: expect.toSatisfy(isAtOnce) })
    await stream.rest()
  })

  it('finishes a running request, and refuses new connections meanwhile', async () => {
    const { url, stop } = await startHost()
    const slow = fetch(`${url}/slow`).then(async (response) => response.text())
    // It runs once the next request, of another connection, is answered.
    await fetch(`${url}/svc/api/csrf-cookie`)
    const stopped = stop(signal)
    await expect.poll(async () => isRefused(url)).toBe(true)
    expect(await slow).toBe('finished')
    expect((await stopped).code).toBe(0)
  })

  it('finishes a running request when the signal is repeated, as npm does', async () => {
    const { url, stop } = await startHost()
    const slow = fetch(`${url}/slow`).then(async (response) => response.text())
    await fetch(`${url}/svc/api/csrf-cookie`)
    const stopped = stop(signal)
    await expect.poll(async () => isRefused(url)).toBe(true)
    void stop(signal)
    expect(await slow).toBe('finished')
    expect((await stopped).code).toBe(0)
  })

  it('drops a request that does not end after four seconds', async () => {
    const { url, stop } = await startHost()
    const never = await fetch(`${url}/never`)
    const { code, ms } = await stop(signal)
    expect(code).toBe(0)
    expect(ms).toBeGreaterThan(3500)
    expect(ms).toBeLessThan(9000)
    await expect(never.text()).rejects.toThrow()
  })

  it('drops a connection that became a WebSocket after four seconds', async () => {
    const { url, stop } = await startHost()
    await fetch(`${url}/svc/api/csrf-cookie`)
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await once(socket, 'data')
    const { code, ms } = await stop(signal)
    expect(code).toBe(0)
    expect(ms).toBeLessThan(9000)
  })

  it('closes every service once before the process ends', async () => {
    const { stop, output } = await startHost()
    expect((await stop(signal)).code).toBe(0)
    expect(closingsIn(output())).toEqual(['closing the first', 'closing the second'])
  })

  it('closes every service once after a host that listens for the signal itself', async () => {
    const { url, stop, output } = await startHost({ OWN_STOP: signal })
    await fetch(`${url}/svc/api/csrf-cookie`)
    expect((await stop(signal)).code).toBe(7)
    expect(closingsIn(output())).toEqual(['closing the first', 'closing the second'])
  })

  it('closes the services after the last request of a host that closes its port first', async () => {
    const { url, stop, output } = await startHost({ FIRST_STOP: signal })
    const una = browserAt(url)
    await una.logIn('u1@x.test')
    const stream = await openStream(url, una)
    const slow = fetch(`${url}/slow`).then(async (response) => response.text())
    await fetch(`${url}/svc/api/csrf-cookie`)
    expect((await stop(signal)).code).toBe(7)
    expect(await slow).toBe('finished')
    expect(output().match(/finished|closing the \w+/g)).toEqual([
      'finished',
      'closing the first',
      'closing the second',
    ])
    await stream.rest()
  })

  it('ends the process with 1 and the reason when a service cannot be closed', async () => {
    const { stop, output } = await startHost({ CLOSING: 'fails' })
    expect((await stop(signal)).code).toBe(1)
    expect(output()).toContain('The service could not be closed: the stores are away\n')
  })

  it('leaves the port and the exit code to a host that listens for the signal itself', async () => {
    const { url, process: host, stop } = await startHost({ OWN_STOP: signal })
    const una = browserAt(url)
    await una.logIn('u1@x.test')
    const stream = await openStream(url, una)
    const stopping = once(host.stdout ?? host, 'data')
    const stopped = stop(signal)
    await stopping
    expect((await una.get('/svc/api/user')).status).toBe(200)
    expect(await stopped).toEqual({ code: 7, ms: expect.toSatisfy(isAtOnce) })
    await stream.rest()
  })
})

it('closeOnSignals ends the process with 1 when a service has not closed after ten seconds', async () => {
  const { stop } = await startHost({ CLOSING: 'hangs' })
  const { code, ms } = await stop('SIGTERM')
  expect(code).toBe(1)
  expect(ms).toBeGreaterThan(9000)
  expect(ms).toBeLessThan(20_000)
})

it('closeOnSignals ends a server of HTTP/2 that answers over HTTP/1', async () => {
  const { certificate, key } = makeCertificate(temporaryFolder(), 'panel.example.com')
  const { url, stop } = await startHost({ CERTIFICATE: certificate, KEY: key })
  const target = new URL('/never', url.replace('http:', 'https:'))
  const sent = request(target, { rejectUnauthorized: false }).end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  response?.on('error', () => undefined)
  expect((await stop('SIGTERM')).code).toBe(0)
})

/** The lines of the services, in the order in which they were written. */
function closingsIn(output: string): readonly string[] {
  return output.split('\n').filter((line) => line.startsWith('closing'))
}

/** Less than the four seconds after which connections are dropped. */
function isAtOnce(ms: number): boolean {
  return ms < 3500
}

async function isRefused(url: string): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
    socket.once('connect', () => socket.destroy())
  })
}
