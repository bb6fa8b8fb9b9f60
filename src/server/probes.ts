import type { RequestListener, ServerResponse } from 'node:http'
import type { PanelAuth } from '../service-contract.ts'

/** Answers for a load balancer: ready or not, without a reason. */
export interface Probes {
  /** Listeners by path. */
  readonly routes: ReadonlyMap<string, RequestListener>
  /** Reports ready from now on while the node is healthy. */
  open(): void
  /**
   * Reports not ready from now on, so that load balancers send new requests elsewhere. The node
   * still answers.
   */
  drain(): void
}

export function createProbes({ health }: Pick<PanelAuth, 'health'>): Probes {
  let isOpen = false

  async function answerReadiness(response: ServerResponse): Promise<void> {
    const healthy = isOpen && (await health()).healthy
    answer(response, healthy ? 200 : 503, { healthy })
  }

  const readiness: RequestListener = (_request, response) => void answerReadiness(response)
  const liveness: RequestListener = (_request, response) => answer(response, 200, { alive: true })
  return {
    routes: new Map([
      ['/readyz', readiness],
      ['/healthz', readiness],
      ['/livez', liveness],
    ]),
    open: () => void (isOpen = true),
    drain: () => void (isOpen = false),
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
