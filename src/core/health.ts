import type { Awaitable } from '../contracts/host.ts'
import { inTime } from '../process/timeout.ts'

/** A health check that takes longer has failed. */
const HEALTH_SECONDS = 1.9

/** A check that resolves while a part works and rejects otherwise. */
type Check = () => Awaitable<void>

/**
 * Creates the health check: every part must answer in time. Concurrent calls share one check, so
 * that an unauthenticated caller cannot load the stores with it.
 */
export function createHealth(checks: readonly Check[]): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  return () => {
    running ??= inTime(all(checks), HEALTH_SECONDS * 1000, false).finally(() => (running = null))
    return running
  }
}

/** Runs the checks concurrently, so that one that hangs does not use up the others' time. */
async function all(checks: readonly Check[]): Promise<boolean> {
  const done = await Promise.allSettled(checks.map(async (check) => check()))
  return done.every(({ status }) => status === 'fulfilled')
}
