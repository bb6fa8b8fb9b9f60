import type { ServerResponse } from 'node:http'

const SLOW_READER_MS = 30_000

/**
 * Waits until the client has read on. Drops a client that does not: buffers must not grow without
 * limit.
 */
export async function isDrained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (caughtUp: boolean): void => {
      clearTimeout(timer)
      response.off('drain', drained).off('close', gone)
      if (!caughtUp) response.destroy()
      resolve(caughtUp)
    }
    const drained = (): void => settle(true)
    const gone = (): void => settle(false)
    const timer = setTimeout(gone, SLOW_READER_MS)
    response.once('drain', drained).once('close', gone)
  })
}
