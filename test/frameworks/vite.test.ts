import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createServer } from 'vite'
import { freePort } from '../../scripts/free-port.mjs'
import { notify } from '../support/bell.ts'
import { openStream } from '../support/bell-stream.ts'
import { browserAt, type Connecting } from '../support/browser.ts'
import { linkPackages } from '../support/linked-packages.ts'
import { temporaryFolder } from '../support/panel.ts'
import { USER } from '../support/paths.ts'
import { startService } from '../support/service.ts'

/** The first block of the page. */
const [, CONFIG = ''] =
  /```ts\n(\/\/ vite\.config\.ts\n[\s\S]*?)```/.exec(readFileSync('docs/vite.md', 'utf8')) ?? []

/** Starts Vite with the configuration of the page, before a service that lists the address of Vite, or another. */
async function startBehindVite({ isListed }: { readonly isListed: boolean }) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const stateful = [isListed ? `localhost:${port}` : 'localhost:3000']
  const service = await startService({ appUrl: origin, config: { session_auth: { stateful } } })
  const root = temporaryFolder()
  linkPackages(root, ['vite'])
  const configFile = join(root, 'vite.config.ts')
  writeFileSync(configFile, CONFIG.replace('http://localhost:3000', service.url))
  writeFileSync(join(root, 'index.html'), '<h1>Shop</h1>')
  const listening = { host: '127.0.0.1', port, strictPort: true }
  const vite = await createServer({ root, configFile, logLevel: 'error', server: listening })
  onTestFinished(async () => vite.close())
  await vite.listen()
  return { service, origin, una: browserAt(origin, { connecting: { lookup: toLoopback } }) }
}

const toLoopback: NonNullable<Connecting['lookup']> = (_host, { all }, callback) => {
  if (all === true) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}

describe('A front end that Vite serves', () => {
  it('logs in through the proxy that docs/vite.md configures', async () => {
    const { una } = await startBehindVite({ isListed: true })
    expect((await una.get('/')).text).toContain('Shop')
    expect((await una.logIn('u1@x.test')).status).toBe(200)
    expect((await una.get(USER)).json).toMatchObject({ email: 'u1@x.test' })
  })

  it('receives the stream of the bell through the proxy', async () => {
    const { service, origin, una } = await startBehindVite({ isListed: true })
    await una.logIn('u1@x.test')
    const stream = await openStream(origin, una)
    expect(await stream.next()).toMatchObject({ data: { unread_count: 0 } })
    await notify(service, 'New order')
    expect(await stream.next()).toMatchObject({ event: 'notification' })
  })

  it('gets a refusal that names the setting, as docs/vite.md says, where its address is not listed', async () => {
    const { una } = await startBehindVite({ isListed: false })
    const { status, json } = await una.logIn('u1@x.test')
    expect(status).toBe(403)
    expect(json).toMatchObject({ key: 'svc::auth.origin_mismatch' })
    expect(json.message).toContain('session_auth.stateful')
  })
})
