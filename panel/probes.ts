import type { RequestListener, ServerResponse } from 'node:http'
import type { PanelAuth } from '@svc/auth'
import { answerJson } from './answer.ts'

type State = 'starting' | 'open' | 'draining'

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
  let state: State = 'starting'

  async function answerReadiness(response: ServerResponse): Promise<void> {
    const healthy = state === 'open' && (await health()).healthy
    answerJson(response, { status: healthy ? 200 : 503, body: { healthy } })
  }

  const readiness: RequestListener = (_request, response) => void answerReadiness(response)
  const liveness: RequestListener = (_request, response) =>
    answerJson(response, { status: 200, body: { alive: true } })
  return {
    routes: new Map([
      ['/readyz', readiness],
      ['/healthz', readiness],
      ['/livez', liveness],
    ]),
    open: () => void (state = 'open'),
    drain: () => void (state = 'draining'),
  }
}
