import type { Clock } from '../../contracts/host.ts'
import type { Owner, SessionStore } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import { trustedOwnerOf } from './trusted-owner.ts'

interface RestampParts {
  readonly store: Checked<SessionStore>
  readonly clock: Clock
}

/** Gives the stamp `to` to the owner's sessions and trusted devices whose stamp `isOld`. */
export async function restamp(
  { store, clock }: RestampParts,
  owner: Owner,
  isOld: (stamp: string) => boolean,
  to: string,
): Promise<void> {
  for (const each of [trustedOwnerOf(owner), owner]) {
    const stored = await store.list(each, clock.now())
    const stamps = new Set(stored.map(({ stamp }) => stamp))
    for (const stamp of stamps) if (isOld(stamp)) await store.restamp(each, stamp, to)
  }
}
