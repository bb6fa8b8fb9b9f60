/**
 * The request failed or the answer is not from the service: offline, a proxy's page, a timeout.
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
