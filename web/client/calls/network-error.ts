/**
 * The request failed or the answer is not from the service: offline, a timeout, a page of a proxy
 * with a status under 500. A page with 500 or more is a refusal, `svc::auth.unavailable`.
 *
 * @example
 * ```ts
 * async function unreadCount(): Promise<number | null> {
 *   try {
 *     const answer = await client.call('notifications.unread-count')
 *     return answer.outcome === 'ok' ? answer.body.unread_count : null
 *   } catch (error) {
 *     if (error instanceof NetworkError) return null
 *     throw error
 *   }
 * }
 * ```
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}
