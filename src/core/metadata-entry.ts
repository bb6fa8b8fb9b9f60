import type { MetadataStore } from '../contracts/store-contracts.ts'
import type { Checked } from './boundary/checked.ts'

/** Sets an entry, whatever other nodes write at the same moment. */
export async function setEntry(
  store: Checked<MetadataStore>,
  name: string,
  to: string,
): Promise<void> {
  let from: string | null
  do from = await store.read(name)
  while (from !== to && !(await store.compareAndSet(name, from, to)))
}
