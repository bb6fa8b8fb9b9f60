import type { RequestListener, ServerResponse } from 'node:http'
import type { PanelAuth } from '@svc/auth'
import { answerJson } from './answer.ts'

type State = 'starting' | 'open' | 'draining'

/** The answers for a load balancer: whether this node can do its work, and nothing about why not. */
export interface Probes {
  /** By path. */
  readonly routes: ReadonlyMap<string, RequestListener>
  /** From now on the node is ready while it is healthy. */
  open(): void
  /** From now on the node is not ready, though it still answers: the load balancer sends new requests elsewhere. */
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
