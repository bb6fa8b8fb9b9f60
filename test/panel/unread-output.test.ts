import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { browserAt } from '../support/browser.ts'
import { temporaryFolder } from '../support/panel.ts'
import { LOGIN, USER } from '../support/paths.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { unreadPipe, type UnreadPipe } from '../support/unread-pipe.ts'

const PROGRAM = fileURLToPath(new URL('../../build/panel/main.js', import.meta.url))
const NOISY = fileURLToPath(new URL('noisy-service.mjs', import.meta.url))
const SOON_MS = 2000
const REQUESTS = 100

const output = ({ writeEnd }: UnreadPipe): StdioOptions => ['ignore', writeEnd, writeEnd]

describe('A panel whose standard output and error are a full pipe that nobody reads', () => {
  it('answers during an outage of PostgreSQL and after it', async () => {
    await outliveOutage(await startPanel(output(unreadPipe())))
  })
})

describe('A service without a logger', () => {
  it('leaves lines out of a pipe that nobody reads, and says how many when it is read again', async () => {
    const pipe = unreadPipe()
    const port = String(await freePort())
    const child = spawn(process.execPath, [NOISY], {
      env: { PATH: process.env['PATH'], PORT: port },
      stdio: ['ignore', 'ignore', pipe.writeEnd, 'ipc'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'message')
    const una = browserAt(`http://127.0.0.1:${port}`)
    // The first line fills the memory that is kept for the pipe; one more a second is left out.
    for (let second = 0; second < 3; second += 1) {
      expect((await una.get(USER)).status).toBe(503)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
    let written = ''
    const leftOut = (): string | undefined => /"lines":(\d+)/.exec((written += pipe.read()))?.[1]
    await expect.poll(leftOut).toBe('2')
  })
})

describe('A panel whose log collector has died', () => {
  it('goes on answering after writing to its standard output and error', async () => {
    const pipe = unreadPipe({ full: false })
    const panel = await startPanel(output(pipe))
    const { una } = panel
    pipe.closeReader()
    await outliveOutage(panel)
    expect((await una.post(LOGIN, { email: 'ada@example.com', password: 'wrong' })).status).toBe(
      422,
    )
  })
})

describe('A panel during an outage', () => {
  it('writes at most one line a second for each kind of failure, with their number', async () => {
    const pipe = unreadPipe({ full: false })
    const { proxy, una, sendMany } = await startPanel(['ignore', 'ignore', pipe.writeEnd])
    proxy.refuse()
    proxy.cut()
    await expect.poll(async () => (await una.get(USER)).status).toBe(503)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    pipe.read()
    await sendMany()
    let written = ''
    const lines = (): readonly { readonly count?: number; readonly message: string }[] => {
      written += pipe.read()
      return written
        .trim()
        .split('\n')
        .filter((line) => line.includes('a request failed'))
        .map((line) => JSON.parse(line))
    }
    await expect
      .poll(() => lines().reduce((sum, { count = 1 }) => sum + count, 0), { timeout: 5000 })
      .toBe(REQUESTS)
    expect(lines().length).toBeLessThan(10)
  })
})

/** Expects a panel to answer while PostgreSQL is away, and afterwards. */
async function outliveOutage({ proxy, una, sendMany }: Panel): Promise<void> {
  proxy.refuse()
  proxy.cut()
  await expect.poll(async () => (await una.get(USER)).status).toBe(503)
  expect(await sendMany()).toEqual(new Set([503]))
  proxy.resume()
  await expect.poll(async () => (await una.get(USER)).status).toBe(200)
  expect(await sendMany()).toEqual(new Set([200]))
}

type Panel = Awaited<ReturnType<typeof startPanel>>

/** The panel as a process on PostgreSQL, behind a proxy that can fail, and somebody logged in to it. */
async function startPanel(stdio: StdioOptions) {
  const proxy = await tcpProxy(await emptyPostgres())
  const port = await freePort()
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: proxy.url,
      SVC_DATA: temporaryFolder(),
      APP_KEY: 'MARKER-of-the-key-0123456789abcdef',
      NODE_ENV: 'development',
    },
    stdio,
  })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const una = browserAt(`http://127.0.0.1:${port}`, { origin: `http://localhost:${port}` })
  const isReady = async (): Promise<number> =>
    (await una.get('/readyz').catch(() => ({ status: 0 }))).status
  await expect.poll(isReady, { timeout: 20_000, interval: 100 }).toBe(200)
  expect((await una.logIn('ada@example.com', 'correct horse battery staple')).status).toBe(200)
  async function sendMany(): Promise<ReadonlySet<number>> {
    const statuses = new Set<number>()
    for (let sent = 0; sent < REQUESTS; sent += 20) {
      const since = performance.now()
      const batch = Array.from({ length: 20 }, async () => (await una.get(USER)).status)
      for (const status of await Promise.all(batch)) statuses.add(status)
      expect(performance.now() - since).toBeLessThan(SOON_MS)
    }
    return statuses
  }
  return { proxy, una, sendMany }
}
