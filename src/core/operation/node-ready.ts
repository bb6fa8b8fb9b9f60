import type { Awaitable, Logger } from '../../contracts/host.ts'
import { warningTexts } from '../../contracts/provider-warning.ts'
import type { CheckedStores } from '../boundary/checked-stores.ts'
import type { SharedClock } from './shared-clock.ts'
import { mapAwaitable } from '../timeouts.ts'

interface Parts {
  readonly keyCheck: { readonly ensureShared: () => Awaitable<void> }
  readonly clock: SharedClock
  readonly logger: Logger
}

/**
 * Creates what every request awaits: the keys are shared, and the time is known. Logs what the
 * stores warn of, once, for which no request waits.
 */
export function createNodeReady(
  stores: CheckedStores,
  { keyCheck, clock, logger }: Parts,
): () => Awaitable<void> {
  let hasWarned = false
  return () =>
    mapAwaitable(keyCheck.ensureShared(), () => {
      if (!hasWarned) void logWarnings(stores, logger)
      hasWarned = true
      return clock.synchronize()
    })
}

async function logWarnings(stores: CheckedStores, logger: Logger): Promise<void> {
  for (const text of await warningTexts(stores)) logger.warn({}, `stores: ${text}`)
}
