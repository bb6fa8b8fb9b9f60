import type { ServerResponse } from 'node:http'

/** An answer of the panel's own API; caches must not store it. */
export interface Reply {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes an answer. */
export function answerJson(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(JSON.stringify(body))
}
