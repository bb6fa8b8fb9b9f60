import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startPanelProcess, temporaryFolder, type PanelProcess } from '../support/panel.ts'

interface Answered {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly body: string
}

async function ask(panel: PanelProcess, path: string, agent?: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, panel.url)
    url.hostname = '127.0.0.1'
    const request = get(url, agent === undefined ? {} : { agent }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      response.on('end', () => {
        const { statusCode: status, headers } = response
        resolve({ status, connection: headers.connection, body })
      })
    })
    request.on('error', reject)
  })
}

const USER = '/svc/api/user'

describe('The probes of a node', () => {
  it('report that it is alive and ready', async () => {
    const panel = await startPanelProcess({ SVC_DATA: temporaryFolder() })
    for (const path of ['/readyz', '/healthz'])
      expect(await ask(panel, path)).toMatchObject({ status: 200, body: '{"healthy":true}' })
    expect(await ask(panel, '/livez')).toMatchObject({ status: 200, body: '{"alive":true}' })
  })
})

describe('A node that is told to stop by SIGTERM', () => {
  it('reports not ready first and still answers, then closes kept connections and the port', async () => {
    const panel = await startPanelProcess({ SVC_DATA: temporaryFolder(), DRAIN_SECONDS: '3' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(panel, USER, agent)).toMatchObject({ status: 401, connection: 'keep-alive' })
    const since = performance.now()
    const ended = panel.end('SIGTERM')
    await expect.poll(async () => (await ask(panel, '/readyz')).status).toBe(503)
    expect((await ask(panel, '/livez')).status).toBe(200)
    for (let asked = 0; asked < 3; asked += 1)
      expect(await ask(panel, USER, agent)).toMatchObject({ status: 401, connection: 'close' })
    expect(await ended).toBe(0)
    expect(performance.now() - since).toBeGreaterThan(3000)
    await expect(ask(panel, USER)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    agent.destroy()
  })

  it('goes on draining when the signal is repeated, as npm and some platforms do', async () => {
    const panel = await startPanelProcess({ SVC_DATA: temporaryFolder(), DRAIN_SECONDS: '2' })
    const since = performance.now()
    const ended = panel.end('SIGTERM')
    await expect.poll(async () => (await ask(panel, '/readyz')).status).toBe(503)
    void panel.end('SIGTERM')
    expect((await ask(panel, USER)).status).toBe(401)
    expect(await ended).toBe(0)
    expect(performance.now() - since).toBeGreaterThan(2000)
  })

  it('ends at once at Ctrl-C while it drains', async () => {
    const panel = await startPanelProcess({ SVC_DATA: temporaryFolder(), DRAIN_SECONDS: '5' })
    const since = performance.now()
    const ended = panel.end('SIGTERM')
    await expect.poll(async () => (await ask(panel, '/readyz')).status).toBe(503)
    await pause(1100)
    void panel.end('SIGINT')
    expect(await ended).toBe(1)
    expect(performance.now() - since).toBeLessThan(5000)
  })

  it('stops at once at Ctrl-C', async () => {
    const panel = await startPanelProcess({ SVC_DATA: temporaryFolder(), DRAIN_SECONDS: '5' })
    const since = performance.now()
    expect(await panel.end('SIGINT')).toBe(0)
    expect(performance.now() - since).toBeLessThan(5000)
  })
})
