import type { ActivityEntry, ActivityStore, Owner } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'

interface Kept {
  readonly owner: string
  readonly entry: ActivityEntry
}

/**
 * Creates the activity store of the memory stores.
 *
 * @param ensureOpen Throws once the stores are closed.
 */
export function memoryActivity(ensureOpen: () => void): ActivityStore {
  /** In the order of adding. */
  let kept: readonly Kept[] = []
  const remove = (removed: readonly Kept[]): number => {
    const isRemoved = new Set(removed)
    kept = kept.filter((one) => !isRemoved.has(one))
    return removed.length
  }
  const allOf = (owner: Owner): readonly Kept[] => {
    ensureOpen()
    const key = ownerKey(owner)
    return kept.filter((one) => one.owner === key)
  }
  return {
    add(owner, entry, keep) {
      const same = allOf(owner).filter((one) => one.entry.event === entry.event)
      kept = [...kept, { owner: ownerKey(owner), entry: { ...entry } }]
      remove(same.slice(0, Math.max(0, same.length + 1 - keep)))
    },
    latest: (owner, limit) =>
      allOf(owner)
        .toReversed()
        .slice(0, limit)
        .map(({ entry }) => entry),
    deleteOlder(before, limit) {
      ensureOpen()
      return remove(kept.filter(({ entry }) => entry.at < before).slice(0, limit))
    },
    deleteOf: (owner) => remove(allOf(owner)),
  }
}
