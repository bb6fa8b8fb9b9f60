import { createServer, type RequestListener, type Server } from 'node:http'
import * as v from 'valibot'
import { ensureOptions, optionsOf } from '../../contracts/call-options.ts'
import type { PanelAuth } from '../../contracts/service-contract.ts'
import { ConfigError, reasonOfError } from '../../contracts/errors.ts'
import { ensureAuth } from '../ensure-auth.ts'
import { createGracefulServer } from './graceful-server.ts'
import { hostsOf } from './listening.ts'
import { startMetricsServer, type MetricsOptions } from './metrics-server.ts'
import { createProbes } from './probes.ts'
import { limitPipelining } from './pipelining.ts'
import { keepPruning } from './pruning.ts'
import { onStopSignal } from './stop-signals.ts'
import { skipCheckAfterPause } from './unread-requests.ts'
import { outliveReaders, safeLog } from '../../contracts/write-line.ts'

/** The options of `serve`. */
export interface ServeOptions {
  /** Default: 3000. 0 takes a free port. */
  readonly port?: number
  /**
   * The address to listen on; `localhost` is 127.0.0.1 and ::1. Default: every address of the
   * machine.
   */
  readonly host?: string
  /**
   * The time in seconds for which SIGTERM lets the server answer while `/readyz` says 503, so that
   * load balancers send requests to other nodes. Default: 5.
   */
  readonly drainSeconds?: number
  /** Stops at SIGTERM and SIGINT and then ends the process with 0. Default: true. */
  readonly signals?: boolean
  /** Closes what the host opened, such as its database. Called after the service has closed. */
  readonly onClose?: () => Promise<void> | void
  /** The number of days that notifications are kept. Default: `config.retention`. */
  readonly keepNotificationsDays?: number
  /** Answers `GET /metrics` on a port of its own. Default: none. */
  readonly metrics?: MetricsOptions
  /** Receives one line for each failure. Default: standard error. */
  readonly log?: (line: string) => void
}

/** A server that listens. */
export interface RunningServer {
  readonly port: number
  /** The port of the metrics; `null`: there are none. */
  readonly metricsPort: number | null
  /** For the upgrade to a WebSocket, for example. */
  readonly server: Server
  /**
   * Reports not ready, finishes the running requests, ends the rest after four seconds, and closes
   * the service. Idempotent.
   *
   * @param drainSeconds The time for which it keeps answering first. Default: 0.
   */
  readonly close: (drainSeconds?: number) => Promise<void>
}

/** Slow clients are dropped long before Node's defaults. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1000,
}

/** The process ends with 1 when it has not closed this long after its drain. */
const CLOSE_MS = 10_000

/**
 * Runs a server for production. Awaits `auth.ready()` and listens; answers the probes `/readyz` and
 * `/healthz` (200 while the node is ready, otherwise 503) and `/livez`; prunes every minute. When
 * it stops, `/readyz` says 503 first, so that a load balancer sends requests elsewhere; then it
 * closes the port, finishes running requests, ends streams and calls `auth.close()`.
 *
 * @param handler A listener for requests, such as `mount(auth)` or an Express application, or a
 *   server that does not listen yet, such as `server` of a Fastify instance that is ready.
 * @throws {ConfigError} An argument is wrong, or the other nodes use other keys.
 * @throws {StoreError} The stores are unreachable.
 * @throws {Error} The port is in use, or the process may not open it.
 *
 * @example
 * ```ts
 * const { port } = await serve(auth, mount(auth), { port: 3000, drainSeconds: 5 })
 * console.log(`http://localhost:${port}/admin/main`)
 * ```
 */
export async function serve(
  auth: PanelAuth,
  handler: RequestListener | Server,
  options: ServeOptions = {},
): Promise<RunningServer> {
  ensureArguments(auth, handler, options)
  const log = safeLog(options.log)
  outliveReaders()
  const signals = options.signals === false ? null : stopAtSignals(options, log)
  try {
    const running = await start(auth, handler, { ...options, log })
    signals?.onStarted(running)
    return running
  } catch (error) {
    signals?.remove()
    throw error
  }
}

const ANY = v.unknown()
const OPTIONS = optionsOf({
  port: ANY,
  host: ANY,
  drainSeconds: ANY,
  signals: ANY,
  onClose: ANY,
  keepNotificationsDays: ANY,
  metrics: ANY,
  log: ANY,
} satisfies Record<keyof ServeOptions, v.GenericSchema>)

/** Checks the arguments of a host in JavaScript. @throws {ConfigError} One is wrong. */
function ensureArguments(auth: unknown, handler: unknown, options: unknown): void {
  ensureAuth(auth, 'serve')
  ensureOptions('serve', options, OPTIONS)
  // Neither the instance of a framework nor a server of node:http2 has this method.
  if (typeof handler === 'function' || 'closeAllConnections' in Object(handler)) return
  throw new ConfigError(
    'serve: its second argument is neither a listener for requests nor a server of node:http or node:https; ' +
      'give mount(auth), an Express application, or `server` of a Fastify instance without HTTP/2',
  )
}

async function start(
  auth: PanelAuth,
  handler: RequestListener | Server,
  { port = 3000, host, log, ...options }: ServeOptions & { readonly log: (line: string) => void },
): Promise<RunningServer> {
  await auth.ready()
  const server = typeof handler === 'function' ? createOwnServer(handler) : handler
  const probes = createProbes(auth)
  const graceful = createGracefulServer(server, auth, probes)
  const measured = options.metrics ? await startMetricsServer(options.metrics, log) : null
  const bound = await graceful.listen(port, hostsOf(host), log).catch((error: unknown) => {
    measured?.close()
    throw error
  })
  const stopPruning = keepPruning(auth, { ...options, log })
  probes.open()

  async function stop(drainSeconds: number): Promise<void> {
    stopPruning()
    probes.drain()
    await graceful.drain(drainSeconds)
    await graceful.close()
    try {
      await auth.close()
    } finally {
      measured?.close()
      await options.onClose?.()
    }
  }

  let closing: Promise<void> | null = null
  return {
    port: bound,
    metricsPort: measured?.port ?? null,
    server,
    close: async (drainSeconds = 0) => (closing ??= stop(drainSeconds)),
  }
}

function createOwnServer(handler: RequestListener): Server {
  const server = createServer(TIMEOUTS, limitPipelining(handler))
  skipCheckAfterPause(server, TIMEOUTS.connectionsCheckingInterval)
  return server
}

/** Ends the process at a signal: at once while it starts, and once the server has closed later. */
function stopAtSignals({ drainSeconds = 5 }: ServeOptions, log: (line: string) => void) {
  let close: RunningServer['close'] | null = null
  async function end(seconds: number): Promise<void> {
    setTimeout(() => process.exit(1), seconds * 1000 + CLOSE_MS)
    try {
      await close?.(seconds)
      process.exit(0)
    } catch (error) {
      log(`The server could not be closed: ${reasonOfError(error)}`)
      process.exit(1)
    }
  }
  const remove = onStopSignal((signal) => {
    // Nothing else would end a process that is the first one of a container.
    if (close === null) process.exit(0)
    // The user who presses Ctrl-C is waiting, so the server stops without a drain.
    void end(signal === 'SIGINT' ? 0 : drainSeconds)
  })
  return { remove, onStarted: (running: RunningServer) => void (close = running.close) }
}
