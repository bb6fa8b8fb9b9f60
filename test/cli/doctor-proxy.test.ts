import { once } from 'node:events'
import { createServer, request as send, type IncomingHttpHeaders } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startService, type Changes } from '../support/service.ts'
import { svcHere } from '../support/svc-here.ts'
import { HOST } from './command.ts'

const KEY = 'a key of the tests of 32 characters or more'
const CLIENT = '203.0.113.7'
const INNER = '198.51.100.2'

/** Starts a service, and a proxy that sends it X-Forwarded-For as `name` returns it. */
async function serviceBehind(
  name: (given: string | undefined) => string | null,
  config: Changes['config'] = {},
  host: string | null = null,
) {
  let port: string | undefined
  const proxy = createServer((request, response) => {
    const { 'x-forwarded-for': given, ...headers } = request.headers
    const named = name(given === undefined ? undefined : String(given))
    const sent: IncomingHttpHeaders = {
      ...headers,
      ...(named !== null && { 'x-forwarded-for': named }),
      ...(host !== null && { host }),
    }
    const { method, url: path } = request
    const asked = send({ port, host: '127.0.0.1', method, path, headers: sent })
    asked.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(asked)
  })
  onTestFinished(() => void proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const appUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const app = { url: appUrl, keys: [KEY] }
  const service = await startService({ appUrl, config: { app, ...config } })
  // The command has the time of the machine.
  service.clock.set(Date.now())
  port = new URL(service.url).port
  return appUrl
}

/** Returns the findings of doctor about the proxies of a running service. */
async function proxiesAt(url: string, key = KEY): Promise<string> {
  return (await doctor(url, key)).match(/^.* proxies: .*$/gm)?.at(-1) ?? ''
}

async function doctor(url: string, key = KEY): Promise<string> {
  const env = { APP_KEY: key, APP_URL: url, STATEFUL: new URL(url).host }
  return (await svcHere(['--config', HOST, 'doctor', '--url', url], { env })).stdout
}

const trusted = { trusted_proxies: ['127.0.0.1'] }
const appends = (given: string | undefined) => [given, CLIENT].filter(Boolean).join(', ')

describe('svc doctor --url behind a proxy', { timeout: 30_000 }, () => {
  it('accepts a trusted proxy that appends the client', async () => {
    const url = await serviceBehind(appends, trusted)
    expect(await proxiesAt(url)).toMatch(/^ok .* counts this command as 203\.0\.113\.7, as the/)
  })

  it('accepts a trusted proxy that replaces the header', async () => {
    const url = await serviceBehind(() => CLIENT, trusted)
    expect(await proxiesAt(url)).toMatch(/^ok .* counts this command as 203\.0\.113\.7/)
  })

  it('fails for a proxy that is not trusted, and names it', async () => {
    const url = await serviceBehind(appends)
    expect(await proxiesAt(url)).toMatch(
      /^failed .* as 127\.0\.0\.1, which is a proxy: the first proxy names 203\.0\.113\.7/,
    )
  })

  it('fails for a second proxy that is not trusted, and names it', async () => {
    const url = await serviceBehind((given) => `${appends(given)}, ${INNER}`, trusted)
    expect(await proxiesAt(url)).toMatch(/^failed .* as 198\.51\.100\.2, which is a proxy/)
  })

  it('fails for a trusted proxy that sends no header', async () => {
    const url = await serviceBehind(() => null, trusted)
    expect(await proxiesAt(url)).toMatch(/^failed .* 127\.0\.0\.1 sends no X-Forwarded-For/)
  })

  it('finds a trusted proxy that passes on what a client sends', async () => {
    const url = await serviceBehind((given) => given ?? null, trusted)
    expect(await proxiesAt(url)).toMatch(
      /^warning .* believes an address that this command made up/,
    )
  })

  it('finds a program for TLS in front of a trusted proxy that does not name its clients', async () => {
    const url = await serviceBehind((given) => `${given}, 127.0.0.1`, trusted)
    expect(await proxiesAt(url)).toMatch(
      /^failed .* the first proxy names 127\.0\.0\.1, which trusted/,
    )
  })

  it.each([
    [
      'fails where the proxy replaces Host',
      '127.0.0.1:3000',
      /^failed .* receives another host than/m,
    ],
    [
      'fails where the proxy leaves out the port',
      '127.0.0.1',
      /^failed .* receives another host than/m,
    ],
    ['accepts a proxy that passes on Host', null, /^ok .* receives the host 127\.0\.0\.1:\d+$/m],
  ])('%s', async (_what, host, found) => {
    expect(await doctor(await serviceBehind(appends, trusted, host))).toMatch(found)
  })

  it('accepts a service without a proxy', async () => {
    const url = await serviceBehind((given) => given ?? null)
    expect(await proxiesAt(url)).toMatch(/^ok .* as 127\.0\.0\.1, the address that connects/)
  })

  it('knows nothing without the key of the service', async () => {
    const url = await serviceBehind(appends, trusted)
    const found = await proxiesAt(url, 'another key of the tests that is long enough')
    expect(found).toMatch(/^warning .* has not answered the probe .* another APP_KEY/)
    expect(found).not.toContain(CLIENT)
  })
})
