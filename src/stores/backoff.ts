/**
 * Returns the delay before the next attempt: a random time up to a bound that doubles with every
 * failure, so that clients that were disconnected together do not reconnect together.
 *
 * @param failures The number of consecutive failures so far, from 0.
 * @see AWS Architecture Blog, "Exponential Backoff And Jitter", on full jitter
 */
export function fullJitterMs(
  [firstSeconds, longestSeconds]: readonly [number, number],
  failures: number,
): number {
  return Math.random() * Math.min(firstSeconds * 2 ** failures, longestSeconds) * 1000
}
