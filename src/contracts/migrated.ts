/** The versions of the tables before and after a migration; equal when there was nothing to do. */
export interface Migrated {
  readonly from: number
  readonly to: number
  /** True when the tables were left as they are, for a command that only looks. Default: false. */
  readonly isPending?: boolean
}

/** A migration of named tables, for the output of `svc migrate`. */
export interface MigratedTables extends Migrated {
  /** The name of the tables. */
  readonly tables: string
}

/** Of the process: tsx loads a second copy of this file. */
const FORBIDDEN = Symbol.for('@svc/auth: migrations are forbidden')
const flags = globalThis as { [FORBIDDEN]?: boolean }

/**
 * Keeps every store that is opened later in this process from creating and migrating its tables: a
 * command that only looks must not change a database, which may be that of another application.
 */
export function forbidMigrations(): void {
  flags[FORBIDDEN] = true
}

/** Returns a migration that would run, as pending; `null` if it may run or nothing has to. */
export function pendingMigration({ from, to }: Migrated): Migrated | null {
  return areMigrationsForbidden() && from !== to ? { from, to, isPending: true } : null
}

/** Returns `true` when migrations are forbidden. */
export function areMigrationsForbidden(): boolean {
  return flags[FORBIDDEN] === true
}
