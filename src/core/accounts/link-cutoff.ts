import type { EpochMs } from '../../contracts/host.ts'
import type { MetadataStore } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import { setEntry } from '../metadata-entry.ts'

const ENTRY = 'links.cutoff'

/** The time before which the links in mails were sent that no longer work, on all nodes. */
export type LinkCutoff = ReturnType<typeof createLinkCutoff>

/**
 * Creates the cutoff on the first database. A restored backup has forgotten which links were used,
 * and nothing else is stored for a link.
 */
export function createLinkCutoff([store]: readonly Checked<MetadataStore>[]) {
  return {
    /** Returns the time; 0 while all links work, and NaN if the stored one is malformed. */
    async read(): Promise<EpochMs> {
      const stored = (await store?.read(ENTRY)) ?? '0'
      return /^\d+$/.test(stored) ? Number(stored) : Number.NaN
    },
    async set(to: EpochMs): Promise<void> {
      if (store !== undefined) await setEntry(store, ENTRY, String(to))
    },
  }
}
