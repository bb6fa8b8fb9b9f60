import type { Clock } from '@svc/auth'
import type { Database } from './database.ts'

/** So many of a kind within a window, for one person. */
export interface PersonLimit {
  readonly kind: string
  readonly max: number
  readonly windowSeconds: number
}

/** Limits per person: actions, and mails sent to them. */
export const personLimits = {
  /** Notifications that a person sends to others. */
  sending: { kind: 'sending', max: 20, windowSeconds: 60 },
  /** Notices of one kind that a person gets; whoever causes them cannot flood a mailbox. */
  notice: { kind: 'notice', max: 1, windowSeconds: 60 * 60 },
} as const satisfies Record<string, PersonLimit>

/** Counts by person, in the database that all nodes share. */
export interface PersonLimits {
  /** Counts one more. @returns whether it is within the limit. */
  count(person: string, limit: PersonLimit): Promise<boolean>
}

// A window that began later stays: a node whose clock is behind counts in it, and does not begin it anew.
const COUNT = `
  INSERT INTO people_counts (person, kind, began, counted) VALUES (?, ?, ?, 1)
  ON CONFLICT (person, kind) DO UPDATE SET
    counted = CASE WHEN excluded.began > people_counts.began THEN 1
      ELSE people_counts.counted + 1 END,
    began = CASE WHEN excluded.began > people_counts.began THEN excluded.began
      ELSE people_counts.began END
  RETURNING counted`

/** Opens the counts, whose table `migratePeople` has made. Each count is one statement, also between nodes. */
export function createPersonLimits(database: Database, clock: Clock): PersonLimits {
  const count = database.one(COUNT, ({ counted }: { readonly counted: number }) => counted)
  return {
    async count(person, { kind, max, windowSeconds }) {
      const began = Math.floor(clock.now() / 1000 / windowSeconds) * windowSeconds
      return ((await count(person, kind, began)) ?? max + 1) <= max
    },
  }
}
