import type { EpochMs } from './host.ts'

/** The times before which pruning removes records. */
export interface PruneTimes {
  /** Records that end by themselves, such as sessions. */
  readonly expired: EpochMs
  /** `null`: notifications are kept for ever. */
  readonly notifications: EpochMs | null
  readonly activity: EpochMs
}

/** The size of a table, or of the keys of one kind. */
export interface StoreSize {
  /** The name of the table, or the kind of the keys. */
  readonly name: string
  readonly records: number
  /** With its indexes; `null`: the database does not tell. */
  readonly bytes: number | null
  /** The time of the oldest record; `null` without records, or where they have no time. */
  readonly oldest: EpochMs | null
  /** The number of records that pruning removes. */
  readonly due: number
}
