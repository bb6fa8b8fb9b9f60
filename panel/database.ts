import type { Generated, Kysely } from 'kysely'
import type { FactorStore, FactorTable } from '@svc/auth/totp'
import type { TableUsers, UserTable, UserWith } from '@svc/auth/users'

/** The panel's own tables. A flag is 0 or 1, because SQLite has no booleans. */
export interface Tables {
  readonly people: {
    readonly id: string
    /** The canonical form, which is compared byte for byte, as the contract demands. */
    readonly email: string
    readonly name: string | null
    readonly password_hash: string
    readonly email_verified_at: string | null
    readonly must_verify_email: Generated<0 | 1>
    readonly two_factor_required: Generated<0 | 1>
    /** The language of the browser of the last login; `null`: none since it is kept. */
    readonly language: Generated<string | null>
  }
  /** Counts of a user's actions and of mails to the user, by window. `began` is in seconds. */
  readonly people_counts: {
    readonly person: string
    readonly kind: string
    readonly began: number
    readonly counted: number
  }
  readonly panel_schema: { readonly version: number; readonly oldest: Generated<number | null> }
}

/** The database of the panel's own tables, on SQLite or PostgreSQL. */
export interface Database {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /** Runs single statements. Each is atomic, also between nodes. */
  readonly tables: Kysely<Tables>
  /**
   * Reads users, which every request does. The driver runs these statements: Kysely takes as long
   * to execute a compiled query as SQLite takes to answer it.
   */
  readonly users: <Other extends string>(table: UserTable<Other>) => TableUsers<UserWith<Other>>
  /** The second factors. A foreign key removes them with their user. */
  readonly factors: FactorStore
  /** Migrates the tables in one transaction, under a lock; concurrent calls wait. */
  readonly alter: <Result>(work: (tables: Kysely<Tables>) => Promise<Result>) => Promise<Result>
  readonly close: () => Promise<void>
}

/** The table of second factors. */
export const factorTable: FactorTable = {
  table: 'people_two_factor',
  columns: {
    userId: 'person',
    secret: 'sealed_secret',
    recoveryCodes: 'recovery_codes',
    lastStep: 'last_step',
  },
  devices: true,
}
