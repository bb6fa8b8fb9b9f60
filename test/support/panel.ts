import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PanelAuth, PanelConfig } from '@svc/auth'
import { onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { startPanel } from '../../build/panel/panel.js'
import type { Person, Users } from '../../build/panel/users.js'
import { browserAt, type Browser } from './browser.ts'
import { HASH_PRIORITY } from './hash-priority.mjs'
import { CHEAP } from './service.ts'
import { svcHere } from './svc-here.ts'
import type { Ran } from './svc.ts'

const PROGRAM = fileURLToPath(new URL('../../build/panel/main.js', import.meta.url))

/** A folder that is there until the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-panel-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The reference panel in this process, on a port of its own. */
export interface TestPanel {
  readonly auth: PanelAuth<Person>
  readonly users: Users
  readonly url: string
  /** Its origin as browsers see it. */
  readonly origin: string
  /** The environment of `runSvc` and other processes that use the same data. */
  readonly environment: Environment & { readonly SVC_DATA: string }
  /** A browser with an address of its own. */
  readonly browser: () => Browser
  readonly stop: () => Promise<void>
}

const KEY = 'a key of the tests of 32 characters or more'

/** Starts the panel as `http://panel.test`; whoever starts it stops it. */
export async function startPanelHere(
  extra: Partial<PanelConfig> = {},
  databaseUrl: string | null = null,
): Promise<TestPanel> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-panel-'))
  const origin = 'http://panel.test'
  // With 0, an outgoing connection may get the port before the panel opens it.
  const port = await freePort()
  const settings = {
    port,
    host: null,
    dataFolder,
    databaseUrl,
    redisUrl: null,
    appUrl: `http://localhost:${port}`,
    appKeys: [KEY],
    smtpUrl: null,
    mailFrom: 'panel@localhost',
    trustedProxies: [],
    drainSeconds: 0,
    metricsPort: null,
    unsafeHttp: false,
  }
  const config = {
    app: { url: origin, keys: [KEY] },
    session_auth: { stateful: ['panel.test'] },
    passwords: CHEAP,
    ...extra,
  }
  const panel = await startPanel(settings, { config })
  const url = `http://127.0.0.1:${new URL(panel.url).port}`
  return {
    auth: panel.auth,
    users: panel.users,
    url,
    origin,
    environment: {
      SVC_DATA: dataFolder,
      APP_KEY: KEY,
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    },
    browser: () => browserAt(url, { origin }),
    async stop() {
      await panel.stop()
      rmSync(dataFolder, { recursive: true })
    },
  }
}

/** Starts the panel in the same way, until the end of the test. */
export async function panelOfTest(databaseUrl: string | null = null): Promise<TestPanel> {
  const panel = await startPanelHere({}, databaseUrl)
  onTestFinished(panel.stop)
  return panel
}

/** The program of the reference panel. */
export interface PanelProcess {
  readonly url: string
  stdout(): string
  stderr(): string
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Suspends it, as `SIGSTOP` does, or lets it go on. */
  suspend(isSuspended: boolean): void
  /** Waits for the end. @returns its exit code; `null`: a signal ended it. */
  ended(): Promise<number | null>
}

export type Environment = Readonly<Record<string, string>>

/** Takes what is to be done when whatever was started is not needed any more. */
export type WhenOver = (end: () => Promise<void>) => void

/** Runs `node build/panel/main.js` with this environment and nothing else of ours but PATH. */
export function runPanel(environment: Environment, ...args: readonly string[]): PanelProcess {
  return run(environment, { args })
}

/** The configuration of the reference panel for `svc`. */
export const PANEL_CONFIG = fileURLToPath(
  new URL('../../build/panel/svc.config.js', import.meta.url),
)

/** Runs `svc` on the reference panel, in this process. */
export async function runSvc(environment: Environment, ...args: readonly string[]): Promise<Ran> {
  return svcHere(['--config', PANEL_CONFIG, ...args], { env: environment })
}

function run(
  environment: Environment,
  {
    args = [],
    whenOver = onTestFinished,
  }: { readonly args?: readonly string[]; readonly whenOver?: WhenOver } = {},
): PanelProcess {
  const child = spawn(process.execPath, [...HASH_PRIORITY, PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk))
  const closed = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  whenOver(async () => {
    if (isRunning(child)) child.kill('SIGKILL')
    await closed
  })
  return {
    url: `http://localhost:${environment['PORT'] ?? 3000}`,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    end: async (signal) => {
      child.kill(signal)
      return closed
    },
    suspend: (isSuspended) => void child.kill(isSuspended ? 'SIGSTOP' : 'SIGCONT'),
    ended: async () => closed,
  }
}

/** Runs the panel on a free port, and waits until it says where it is. It stops at once unless the test says otherwise. */
export async function startPanelProcess(
  environment: Environment,
  whenOver: WhenOver = onTestFinished,
): Promise<PanelProcess> {
  const panel = run(
    { PORT: String(await freePort()), DRAIN_SECONDS: '0', ...environment },
    { whenOver },
  )
  const over = panel.ended().then((code) => {
    throw new Error(`the panel ended with ${code}: ${panel.stderr()}`)
  })
  while (!panel.stdout().includes('The panel is at')) {
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 20))])
  }
  // It ends when the test says so.
  over.catch(() => undefined)
  return panel
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
