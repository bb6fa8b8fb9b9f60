/** The versions of the tables before and after a migration; equal when there was nothing to do. */
export interface Migrated {
  readonly from: number
  readonly to: number
}

/** A migration of named tables, for the output of `svc migrate`. */
export interface MigratedTables extends Migrated {
  /** The name of the tables. */
  readonly tables: string
}
