import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { attempt } from '../support/logins.ts'
import { PANEL_CONFIG, temporaryFolder } from '../support/panel.ts'
import { svc } from '../support/svc.ts'
import { FAILED, THROTTLED, times } from '../support/verdicts.ts'
import { SECRET, SESSION, startDeployed as startPanel } from './deployed.ts'
import { proxies } from './proxies.ts'

/* docs/deployment.md, with the files of docs/deploy as they stand there. */

const ADA = 'ada@example.com'
const BEA = 'bea@example.com'

describe.each(Object.keys(proxies))('Two nodes behind %s', { timeout: 60_000 }, (name) => {
  it('share sessions', async () => {
    const { browser, proxy } = await startPanel(name)
    const ada = browser()
    expect((await ada.logIn(ADA, SECRET)).status).toBe(200)
    expect(ada.cookie(SESSION)).toMatch(/^[\w-]{43}/)
    for (let asked = 0; asked < 10; asked += 1)
      expect((await ada.get('/svc/api/user')).json.email).toBe(ADA)
    const { log } = proxy
    if (log !== null) await expect.poll(() => nodesThatAnswered(log())).toBe(2)
  })

  it('receive the Host that was requested, by which a request without an origin is judged', async () => {
    const { browser } = await startPanel(name)
    const ada = browser()
    await ada.logIn(ADA, SECRET)
    const headers = { origin: null, referer: null }
    expect((await ada.get('/svc/api/user', { headers })).status).toBe(200)
  })

  it('deliver events of a stream without delay', async () => {
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

  it('count by the address that the proxy saw, whatever headers a client sends', async () => {
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

  it('are found in order by svc doctor, which asks through the proxy', async () => {
    const { proxy, origin, environment } = await startPanel(name)
    const ca = join(temporaryFolder(), 'ca.pem')
    writeFileSync(ca, proxy.ca)
    // As if the name of the panel were in the name service.
    const atHome = "import dns from 'node:dns'; const { lookup } = dns;"
    const lookup = 'dns.lookup = (_name, ...rest) => lookup("127.0.0.1", ...rest)'
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(atHome + lookup)}`
    const variables = { ...environment, NODE_EXTRA_CA_CERTS: ca, NODE_OPTIONS }
    const { code, stdout, stderr } = await svc(
      ['--config', PANEL_CONFIG, 'doctor', '--url', origin],
      { env: variables },
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ok +proxies: the service counts this command as .* the proxy/m)
    expect(stdout).not.toMatch(/^(?:failed|warning)/m)
  })

  it('answer all requests while one of them is stopped', async () => {
    const { browser, nodes, listen } = await startPanel(name)
    const bea = browser()
    const readers = [bea, bea.copy(), bea.copy(), bea.copy()]
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

  it('make the proxy answer 503 as the service does when both are stopped', async () => {
    const { browser, nodes } = await startPanel(name)
    const ada = browser()
    await ada.logIn(ADA, SECRET)
    for (const node of nodes) await node.end('SIGKILL')
    const answer = await ada.get('/svc/api/user')
    expect(answer.status).toBe(503)
    expect(answer.json.key).toBe('svc::auth.unavailable')
    expect(ada.cookie(SESSION)).not.toBeNull()
  })

  it('do not expose their health to the outside', async () => {
    const { browser } = await startPanel(name)
    for (const path of ['/readyz', '/livez', '/healthz'])
      expect((await browser().get(path)).status).toBe(404)
  })

  it('send Strict-Transport-Security once, as the service does', async () => {
    const { browser } = await startPanel(name)
    const { headers } = await browser().get('/admin/main')
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  })

  it('receive no request for another name, also over a connection for theirs', async () => {
    const { origin, connecting } = await startPanel(name)
    const { hostname: host, port } = new URL(origin)
    const socket = connect({ ...connecting, host, servername: host, port: Number(port) })
    socket.write('GET / HTTP/1.1\r\nHost: other.example.com\r\n\r\n')
    const [head]: unknown[] = await once(socket, 'data')
    socket.destroy()
    expect(String(head)).toMatch(/^HTTP\/1\.1 421 /)
  })
})

/** Returns the number of nodes that have answered, from the log of the proxy. */
function nodesThatAnswered(log: string): number {
  const lines = log.split('\n').filter((line) => line.includes('/svc/api/user 200'))
  return new Set(lines.map((line) => line.split(' ').at(-1))).size
}
