import type { EpochMs } from '../../contracts/host.ts'

/** The bell row of an owner, as the stores select it. */
export interface BellRow {
  readonly unread: number
  readonly readUpTo: number
  readonly readUpToAt: EpochMs | null
}

/** The position of an entry in the order of sending. */
export interface Place {
  readonly seq: number
}
