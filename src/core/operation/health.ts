import type { Awaitable, Logger } from '../../contracts/host.ts'
import { answerWithin } from '../../process/timeout.ts'

/** A health check that takes longer has failed. */
const HEALTH_SECONDS = 1.9

/** A check that resolves while a part works and rejects otherwise. */
type Check = () => Awaitable<void>

/**
 * Creates the health check: every part must answer in time. Concurrent calls share one check, so
 * that an unauthenticated caller cannot load the stores with it.
 *
 * @param logger Receives the reason of a failure, which the caller does not learn. No request may
 *   fail meanwhile, as where the file of SQLite was deleted.
 */
export function createHealth(checks: readonly Check[], logger: Logger): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  return () => {
    running ??= answerWithin(all(checks, logger), HEALTH_SECONDS * 1000, false).finally(
      () => (running = null),
    )
    return running
  }
}

/** Runs the checks concurrently, so that one that hangs does not use up the others' time. */
async function all(checks: readonly Check[], logger: Logger): Promise<boolean> {
  const done = await Promise.all(checks.map(async (check) => succeeds(check, logger)))
  return done.every(Boolean)
}

async function succeeds(check: Check, logger: Logger): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    logger.error({ err: error, event: 'health.failed' }, 'the service is not healthy')
    return false
  }
}
