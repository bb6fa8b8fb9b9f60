import { hashPassword } from '@svc/auth'
import type { LookupFunction } from 'node:net'
import { Client } from 'pg'
import { freePort } from '../../scripts/free-port.mjs'
import { openStream, type OpenStream } from '../support/bell-stream.ts'
import { browserAt, type Browser } from '../support/browser.ts'
import {
  startPanelProcess,
  temporaryFolder,
  type Environment,
  type PanelProcess,
} from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { proxies, type Proxy } from './proxies.ts'

/** The password of the people of the documentation would be refused at this address. */
export const SECRET = 'a password that is in no documentation'
export const SESSION = '__Host-Http-svc_session'

/** Two nodes of the reference panel behind a proxy of docs/deploy. */
export interface Deployed {
  readonly proxy: Proxy
  /** The nodes that were started with it. */
  readonly nodes: readonly PanelProcess[]
  readonly ports: readonly number[]
  /** Starts another node on the port of one that has ended. */
  readonly restart: (port: number) => Promise<PanelProcess>
  readonly origin: string
  /** The variables of a node, for a command. */
  readonly environment: Environment
  /** Options that connect to the proxy by its name. */
  readonly connecting: { readonly ca: string; readonly lookup: LookupFunction }
  /** Somebody at an address of their own, to whom the panel is at the proxy. */
  readonly browser: () => Browser
  readonly listen: (browser: Browser) => Promise<OpenStream>
}

export async function startDeployed(name: string): Promise<Deployed> {
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
  const restart = async (port: number): Promise<PanelProcess> =>
    // As deployed: the proxy needs the time to see that a node stops.
    startPanelProcess({ ...environment, DRAIN_SECONDS: '5', PORT: String(port) })
  const nodes = await Promise.all(ports.map(restart))
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
    ports,
    restart,
    origin,
    environment,
    connecting,
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
