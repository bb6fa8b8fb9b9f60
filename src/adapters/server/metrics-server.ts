import { createServer, type ServerResponse } from 'node:http'
import { reasonOfError } from '../../contracts/errors.ts'
import { hostsOf, listenOnAll } from './listening.ts'

/** The endpoint that Prometheus fetches. */
export interface MetricsOptions {
  /** Returns the metrics, such as `text` of `prometheus()` or `register.metrics` of prom-client. */
  readonly text: () => Promise<string>
  /** Default: 9464, the port of OpenTelemetry's exporter. 0 takes a free port. */
  readonly port?: number
  /**
   * The address to listen on; never that of the public port, because metrics show strangers how
   * their guesses fare. Default: 127.0.0.1.
   */
  readonly host?: string
}

/**
 * Answers `GET /metrics` on a port of its own.
 *
 * @param log Receives a line when the metrics cannot be read.
 * @throws {Error} The port is in use, or the process may not open it.
 */
export async function startMetricsServer(
  { text, port = 9464, host = '127.0.0.1' }: MetricsOptions,
  log: (line: string) => void,
) {
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (isAsked) void answer(response, text, log)
    else response.writeHead(404).end()
  })
  const { port: bound, others } = await listenOnAll(server, port, hostsOf(host), {
    option: 'metrics.port',
    log,
  })
  // Neither keeps a process alive that has nothing else to do.
  for (const one of [server, ...others]) one.unref()
  return {
    port: bound,
    close() {
      for (const one of [server, ...others]) one.close()
      server.closeAllConnections()
    },
  }
}

async function answer(
  response: ServerResponse,
  text: MetricsOptions['text'],
  log: (line: string) => void,
): Promise<void> {
  try {
    const body = await text()
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8')
    // Sends the headers, too: it throws before them where a host in JavaScript returns no text.
    response.end(body)
  } catch (error) {
    log(`The metrics could not be read: ${reasonOfError(error)}`)
    response.writeHead(503).end()
  }
}
