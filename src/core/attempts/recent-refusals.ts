import type { EpochMs } from '../../contracts/host.ts'

/** The time in milliseconds for which a refusal is repeated. */
const REPEATED_MS = 1000
/** More keys than this are not remembered; the oldest is forgotten first. */
const LARGEST = 1000

interface RecentRefusal<Refused> {
  readonly refused: Refused
  readonly since: EpochMs
  readonly until: EpochMs
}

/**
 * Remembers for a second what was refused, so that a flood of refused requests writes to the store
 * once a second instead of with each of them. It can only refuse: nothing is granted from memory.
 */
export function createRecentRefusals<Refused>() {
  const refusals = new Map<string, RecentRefusal<Refused>>()
  return {
    /** Returns what was refused for the key within the last second; `null` when nothing was. */
    find(key: string, now: EpochMs) {
      const found = refusals.get(key)
      // A clock that was set back proves nothing.
      return found && found.since <= now && now < found.until ? found.refused : null
    },
    remember(key: string, refused: Refused, since: EpochMs, endsAt: EpochMs) {
      refusals.delete(key)
      refusals.set(key, { refused, since, until: Math.min(since + REPEATED_MS, endsAt) })
      const [oldest] = refusals.keys()
      if (refusals.size > LARGEST && oldest !== undefined) refusals.delete(oldest)
    },
    forget: (key: string) => void refusals.delete(key),
  }
}
