import { reasonOfError } from '../../contracts/errors.ts'
import type { PanelAuth } from '../../contracts/service-contract.ts'

const EVERY_MS = 60_000

/** Options of the pruning. */
export interface PruningOptions {
  /** The number of days that notifications are kept. Default: `config.retention`. */
  readonly keepNotificationsDays?: number | undefined
  readonly log: (line: string) => void
}

/**
 * Prunes every minute. Skips a turn while the last one is running: after an outage there may be
 * much to remove.
 *
 * @returns A function that stops it.
 */
export function keepPruning(
  { prune }: Pick<PanelAuth, 'prune'>,
  { keepNotificationsDays, log }: PruningOptions,
): () => void {
  let isPruning = false
  let isStopped = false

  async function pruneOnce(): Promise<void> {
    isPruning = true
    try {
      await prune(keepNotificationsDays === undefined ? {} : { keepNotificationsDays })
    } catch (error) {
      // The service may have closed meanwhile.
      if (!isStopped)
        log(`Pruning failed; the next attempt is in a minute: ${reasonOfError(error)}`)
    } finally {
      isPruning = false
    }
  }

  const timer = setInterval(() => {
    if (!isPruning) void pruneOnce()
  }, EVERY_MS)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
