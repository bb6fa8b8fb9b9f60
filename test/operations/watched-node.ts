import { createPanelAuth, type PanelAuth, type PanelConfig, type Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mount, serve } from '@svc/auth/node'
import { prometheus } from '@svc/auth/prometheus'
import { fakeTwoFactor, type FakeUser, type FakeUsers } from '@svc/auth/testing'
import { onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { browserAt, PASSWORD, type Browser } from '../support/browser.ts'
import { USER } from '../support/paths.ts'
import { UNLIMITED } from '../support/second-factor.ts'
import { CHEAP, somePeople, svc } from '../support/service.ts'

const ORIGIN = 'http://panel.test'
/** Una asks so often, and Quarta logs in at every fourth time. */
const EVERY_MS = 250

/** A node that Prometheus watches, with people who use it. */
export interface WatchedNode {
  /** The address of the metrics. */
  readonly target: string
  readonly url: string
  readonly auth: PanelAuth<FakeUser>
  readonly users: FakeUsers
  readonly browser: () => Browser
  readonly stop: () => Promise<void>
}

interface Changes {
  readonly stores?: Stores
  readonly config?: Partial<PanelConfig>
  readonly metricsPort?: number
  /** Whatever is aborted prunes no more; the node prunes each second, so that no test waits long. */
  readonly signal?: { readonly aborted: boolean }
}

/** Starts a node on the given stores; it is stopped after the test. */
export async function startWatched({
  stores = memoryStores(),
  config = {},
  metricsPort,
  signal,
}: Changes = {}): Promise<WatchedNode> {
  const telemetry = prometheus()
  const users = somePeople()
  const auth = createPanelAuth<FakeUser>({
    config: {
      app: { url: ORIGIN, keys: ['test-key-test-key-test-key-0123456789'] },
      session_auth: { stateful: ['panel.test'] },
      svc,
      passwords: CHEAP,
      spa: { off: true },
      ...UNLIMITED,
      ...config,
    },
    stores,
    users,
    telemetry,
    twoFactor: fakeTwoFactor<FakeUser>({ enabled: ['u2'] }),
    logger: { warn: () => undefined, error: () => undefined },
  })
  const running = await serve(auth, mount(auth), {
    port: 0,
    host: '127.0.0.1',
    signals: false,
    log: () => undefined,
    metrics: { text: telemetry.text, port: metricsPort ?? (await freePort()) },
  })
  const url = `http://127.0.0.1:${running.port}`
  const browser = (): Browser => browserAt(url, { origin: ORIGIN })
  await auth.prune()
  const pruning = setInterval(() => {
    if (signal?.aborted !== true) auth.prune().catch(() => undefined)
  }, 1000)
  const endUse = await use(browser)
  async function stop(): Promise<void> {
    clearInterval(pruning)
    endUse()
    await running.close()
  }
  onTestFinished(stop)
  return { target: `127.0.0.1:${running.metricsPort}`, url, auth, users, browser, stop }
}

/** Lets people read and log in until they are stopped. */
async function use(browser: () => Browser): Promise<() => void> {
  const una = browser()
  await una.logIn('u1@x.test')
  let times = 0
  const timer = setInterval(() => {
    times += 1
    // An outage answers 503. A stopped node answers nothing.
    una.get(USER).catch(() => undefined)
    if (times % 4 === 0)
      browser()
        .logIn('u4@x.test', PASSWORD)
        .catch(() => undefined)
  }, EVERY_MS)
  return () => clearInterval(timer)
}

/** Repeats work, several times at once, until the returned function is called. */
export function repeat(work: () => Promise<unknown>, atOnce = 1, pauseMs = 0): () => void {
  const over = new AbortController()
  const again = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await work().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  for (let at = 0; at < atOnce; at += 1) void again()
  return () => over.abort()
}
