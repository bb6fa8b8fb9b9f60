import { sql } from 'kysely'
import type { Clock } from '@svc/auth'
import type { Database } from './database.ts'

/** Maximum number of actions of one kind in a window, for one user. */
export interface PersonLimit {
  readonly kind: string
  readonly max: number
  readonly windowSeconds: number
}

/** Limits per user, for actions and for mails to the user. */
export const personLimits = {
  /** Notifications that a user sends to others. */
  sending: { kind: 'sending', max: 20, windowSeconds: 60 },
  /** Invitations that a user sends. */
  inviting: { kind: 'inviting', max: 20, windowSeconds: 60 * 60 },
  /** Notices of one kind to a user: an attacker who causes them cannot flood a mailbox. */
  notice: { kind: 'notice', max: 1, windowSeconds: 60 * 60 },
} as const satisfies Record<string, PersonLimit>

/** Counters by user, in the database that all nodes share. */
export interface PersonLimits {
  /** Counts one more. @returns `true` if it is within the limit. */
  count(person: string, limit: PersonLimit): Promise<boolean>
}

/**
 * Opens the counters, in the table of `migratePeople`. Each count is one statement, atomic between
 * nodes.
 */
export function createPersonLimits({ tables }: Database, clock: Clock): PersonLimits {
  return {
    async count(person, { kind, max, windowSeconds }) {
      const began = Math.floor(clock.now() / 1000 / windowSeconds) * windowSeconds
      // A later window stays: a node with a slow clock counts in it instead of restarting it.
      const isNewer = sql<boolean>`excluded.began > people_counts.began`
      const { counted } = await tables
        .insertInto('people_counts')
        .values({ person, kind, began, counted: 1 })
        .onConflict((conflict) =>
          conflict.columns(['person', 'kind']).doUpdateSet({
            counted: sql<number>`CASE WHEN ${isNewer} THEN 1 ELSE people_counts.counted + 1 END`,
            began: sql<number>`CASE WHEN ${isNewer} THEN excluded.began ELSE people_counts.began END`,
          }),
        )
        .returning('counted')
        .executeTakeFirstOrThrow()
      return counted <= max
    },
  }
}
