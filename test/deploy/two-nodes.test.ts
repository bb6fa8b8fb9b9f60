import type { LookupFunction } from 'node:net'
import { hashPassword } from '@svc/auth'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { browserAt, type Browser } from '../support/browser.ts'
import { openStream, type OpenStream } from '../support/events-source.ts'
import { attempt, FAILED, THROTTLED, times } from '../support/logins.ts'
import {
  freePort,
  startPanelProcess,
  temporaryFolder,
  type Environment,
  type PanelProcess,
} from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { proxies, type Proxy } from './proxies.ts'

/* docs/deployment.md, with the files of docs/deploy as they stand there: for the long lane, as it runs real proxies. */

const ADA = 'ada@example.com'
const BEA = 'bea@example.com'
/** The password of the people of the documentation would be refused at this address. */
const SECRET = 'a password that is in no documentation'
const SESSION = '__Host-Http-svc_session'

describe.each(Object.keys(proxies))('Two nodes behind %s', { timeout: 60_000 }, (name) => {
  it('are one panel: a session that one of them opened is known to both', async () => {
    const { browser, proxy } = await startPanel(name)
    const ada = browser()
    expect((await ada.logIn(ADA, SECRET)).status).toBe(200)
    expect(ada.cookie(SESSION)).toMatch(/^[\w-]{43}/)
    for (let asked = 0; asked < 10; asked += 1)
      expect((await ada.get('/svc/api/user')).json.email).toBe(ADA)
    await expect.poll(() => nodesThatAnswered(proxy.log())).toBe(2)
  })

  it('hear the name that was asked for: a request that shows no origin is judged by it', async () => {
    const { browser } = await startPanel(name)
    const ada = browser()
    await ada.logIn(ADA, SECRET)
    const headers = { origin: null, referer: null }
    expect((await ada.get('/svc/api/user', { headers })).status).toBe(200)
  })

  it('pass on what a stream tells as soon as it is told', async () => {
    const { browser, listen } = await startPanel(name)
    const bea = browser()
    await bea.logIn(BEA, SECRET)
    const streams = [await listen(bea), await listen(bea)]
    for (const stream of streams)
      expect(await stream.next()).toMatchObject({ data: { unread_count: 30 } })
    const since = performance.now()
    expect((await bea.post('/svc/api/notifications/read-all')).status).toBe(200)
    for (const stream of streams)
      expect(await stream.next()).toMatchObject({ data: { unread_count: 0 } })
    expect(performance.now() - since).toBeLessThan(5000)
  })

  it('count the address that the proxy saw, whatever a client says that it is', async () => {
    const { browser } = await startPanel(name)
    const guesser = browser()
    await guesser.get('/svc/api/csrf-cookie')
    const verdicts: string[] = []
    for (const at of [1, 2, 3, 4, 5, 6])
      verdicts.push(await attempt(guesser, ADA, 'wrong', { 'x-forwarded-for': `198.51.100.${at}` }))
    expect(verdicts).toEqual([...times(5, FAILED), THROTTLED])
    const somebodyElse = browser()
    await somebodyElse.get('/svc/api/csrf-cookie')
    expect(await attempt(somebodyElse, ADA)).toBe(FAILED)
  })

  it('answer everybody while one of them is stopped', async () => {
    const { browser, nodes, listen } = await startPanel(name)
    const bea = browser()
    const readers = [bea, browser(), browser(), browser()]
    for (const reader of readers) await reader.logIn(BEA, SECRET)
    const stop = { isOver: false }
    const reading = readers.map(async (reader) => {
      const statuses = new Set<number>()
      while (!stop.isOver) statuses.add((await reader.get('/svc/api/user')).status)
      return statuses
    })
    expect(await nodes[0]?.end('SIGTERM')).toBe(0)
    for (const reader of readers)
      expect((await reader.get('/svc/api/notifications')).status).toBe(200)
    stop.isOver = true
    for (const statuses of await Promise.all(reading)) expect([...statuses]).toEqual([200])
    const stream = await listen(bea)
    expect(await stream.next()).toMatchObject({ data: { unread_count: 30 } })
  })

  it('are unavailable, in the words of the service, when there is none', async () => {
    const { browser, nodes } = await startPanel(name)
    const ada = browser()
    await ada.logIn(ADA, SECRET)
    for (const node of nodes) await node.end('SIGKILL')
    const answer = await ada.get('/svc/api/user')
    expect(answer.status).toBe(503)
    expect(answer.json.key).toBe('svc::auth.unavailable')
    expect(ada.cookie(SESSION)).not.toBeNull()
  })

  it('keep to themselves how they are', async () => {
    const { browser } = await startPanel(name)
    expect((await browser().get('/healthz')).status).toBe(404)
  })
})

interface Deployed {
  readonly proxy: Proxy
  readonly nodes: readonly PanelProcess[]
  /** Somebody at an address of their own, to whom the panel is at the proxy. */
  readonly browser: () => Browser
  readonly listen: (browser: Browser) => Promise<OpenStream>
}

async function startPanel(name: string): Promise<Deployed> {
  const https = await freePort()
  const origin = `https://panel.example.com:${https}`
  const environment = {
    APP_KEY: `a key of the tests: ${performance.timeOrigin} ${https}`,
    APP_URL: origin,
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: await emptyPostgres(),
    SVC_DATA: temporaryFolder(),
  }
  await makePeople(environment)
  const ports = [await freePort(), await freePort()]
  const nodes = await Promise.all(
    ports.map(async (port) => startPanelProcess({ ...environment, PORT: String(port) })),
  )
  const proxy = await proxies[name]?.({ https, nodes: ports })
  if (proxy === undefined) throw new Error(`there is no ${name}`)
  const lookup: LookupFunction = (_host, { all }, answer) => {
    if (all === true) answer(null, [{ address: '127.0.0.1', family: 4 }])
    else answer(null, '127.0.0.1', 4)
  }
  const connecting = { ca: proxy.ca, lookup }
  return {
    proxy,
    nodes,
    browser: () => browserAt(origin, { connecting }),
    listen: async (browser) =>
      openStream(origin, browser, { cookie: `${SESSION}=${browser.cookie(SESSION)}` }),
  }
}

/** Makes the people of the documentation, and gives them a password of their own. */
async function makePeople(environment: Environment & { readonly DATABASE_URL: string }) {
  const { APP_URL: _public, ...local } = environment
  const panel = await startPanelProcess(local)
  await panel.end('SIGTERM')
  const client = new Client({ connectionString: environment.DATABASE_URL })
  await client.connect()
  await client.query('UPDATE people SET password_hash = $1', [await hashPassword(SECRET)])
  await client.end()
}

/** How many nodes have answered, by what the proxy wrote down. */
function nodesThatAnswered(log: string): number {
  const lines = log.split('\n').filter((line) => line.includes('/svc/api/user 200'))
  return new Set(lines.map((line) => line.split(' ').at(-1))).size
}
