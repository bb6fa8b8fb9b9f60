import type { RequestListener, ServerResponse } from 'node:http'
import type { PanelAuth } from '../../contracts/service-contract.ts'

/** Answers for a load balancer: ready or not, without a reason. */
export type Probes = ReturnType<typeof createProbes>

export function createProbes({ health }: Pick<PanelAuth, 'health'>) {
  let isOpen = false
  const isHealthy = remembered(async () => (await health()).healthy)

  async function answerReadiness(response: ServerResponse): Promise<void> {
    const healthy = isOpen && (await isHealthy())
    answer(response, healthy ? 200 : 503, { healthy })
  }

  const readiness: RequestListener = (_request, response) => void answerReadiness(response)
  const liveness: RequestListener = (_request, response) => answer(response, 200, { alive: true })
  return {
    /** Listeners by path. */
    routes: new Map([
      ['/readyz', readiness],
      ['/healthz', readiness],
      ['/livez', liveness],
    ]),
    /** Reports ready from now on while the node is healthy. */
    open: () => void (isOpen = true),
    /**
     * Reports not ready from now on, so that load balancers send new requests elsewhere. The node
     * still answers.
     */
    drain: () => void (isOpen = false),
  }
}

/** The time in milliseconds for which a result is repeated. Load balancers ask less often. */
const REPEATED_MS = 1000

/**
 * Repeats the result of a check for a second. Anybody can send probes, and each check writes to
 * every store.
 */
function remembered(check: () => Promise<boolean>): () => Promise<boolean> {
  let latest: { readonly result: Promise<boolean>; readonly until: number } | null = null
  return async () => {
    const now = performance.now()
    if (latest === null || now >= latest.until)
      latest = { result: check(), until: now + REPEATED_MS }
    return latest.result
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(JSON.stringify(body))
}
