import { createServer } from 'node:http'
import { mount, serve } from '@svc/auth/node'
import { prometheus } from '@svc/auth/prometheus'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startService } from '../support/service.ts'
import { collectUnhandled } from '../support/unhandled.ts'

async function served(text?: () => Promise<string>, log?: (line: string) => unknown) {
  const telemetry = prometheus()
  const { auth } = await startService({ telemetry })
  const lines: string[] = []
  const running = await serve(auth, mount(auth), {
    port: 0,
    host: '127.0.0.1',
    signals: false,
    log: (line) => (log ?? ((one) => lines.push(one)))(line),
    metrics: { text: text ?? telemetry.text, port: 0 },
  })
  onTestFinished(async () => running.close())
  return { ...running, lines }
}

describe('`metrics` of `serve`', () => {
  it('answers on a port of its own, in the text format of Prometheus', async () => {
    const { port, metricsPort } = await served()
    await fetch(`http://127.0.0.1:${port}/svc/api/csrf-cookie`)
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await answer.text()).toContain('svc_auth_request_duration_seconds_bucket')
  })

  it('answers nothing else there, and no metrics on the public port', async () => {
    const { port, metricsPort } = await served()
    for (const path of ['/', '/svc/api/user', '/readyz'])
      expect((await fetch(`http://127.0.0.1:${metricsPort}${path}`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404)
  })

  it('listens on the loopback address unless the host names another', async () => {
    const { metricsPort } = await served()
    const server = createServer()
    onTestFinished(() => void server.close())
    // The same port is free on another address.
    const listening = new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(metricsPort ?? 0, '127.0.0.2', () => resolve(true))
    })
    expect(await listening).toBe(true)
  })

  it('answers 503 and logs a line when the metrics cannot be read', async () => {
    const { metricsPort, lines } = await served(async () => {
      throw new Error('no metrics')
    })
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(503)
    expect(lines).toEqual(['The metrics could not be read: no metrics'])
  })

  it('answers 503 and logs a line when the metrics are no text', async () => {
    const unhandled = collectUnhandled()
    // As of a host in JavaScript that gives `register.getMetricsAsJSON`.
    const { metricsPort, lines } = await served(async () => Object([{ name: 'logins' }]))
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(503)
    expect(lines).toEqual([
      expect.stringMatching(/^The metrics could not be read: The "chunk" arg/),
    ])
    expect(await unhandled()).toEqual([])
  })

  it('ends no process when the log of the host fails, at once or later', async () => {
    const unhandled = collectUnhandled()
    const written: string[] = []
    const stderr = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((line) => written.push(String(line)) > 0)
    onTestFinished(() => stderr.mockRestore())
    const failure = new Error('the log is full')
    const logs = [
      () => {
        throw failure
      },
      async () => Promise.reject(failure),
    ]
    for (const log of logs) {
      const { metricsPort } = await served(async () => {
        throw new Error('no metrics')
      }, log)
      expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(503)
    }
    expect(await unhandled()).toEqual([])
    const line = 'The metrics could not be read: no metrics\n'
    expect(written).toEqual([line, line])
  })

  it('is closed with the server', async () => {
    const { close, metricsPort } = await served()
    await close()
    await expect(fetch(`http://127.0.0.1:${metricsPort}/metrics`)).rejects.toThrow('fetch failed')
  })
})
