import { StoreError } from '../../contracts/errors.ts'
import type { RedisConnection } from './connection.ts'
import { count, list, text } from './replies.ts'
import { evictionScript } from './scripts.ts'

/**
 * Creates the check that a full Redis removes no records that have not expired. With another policy
 * than `noeviction`, requests that fill its memory make it forget failed logins.
 */
export function createEvictionCheck(redis: RedisConnection) {
  let isSafe = false

  async function warning(): Promise<string | null> {
    const [given, limit] = list(await redis.run(evictionScript, [], []))
    const policy = text(given)
    isSafe = policy === 'noeviction' || count(limit) === 0
    if (policy === 'noeviction') return null
    return `a full Redis removes sessions and counts of failed logins by its policy ${policy}; set maxmemory-policy to noeviction`
  }

  async function check(): Promise<void> {
    const fault = await warning()
    if (fault !== null && !isSafe) throw new StoreError(fault)
  }

  return {
    /** Returns the warning of a policy that removes records, also without a limit, or `null`. */
    warning,
    /** Rejects where the memory has a limit at which records are removed. */
    check,
    /** Checks until nothing is removed. `check` finds a later change. */
    ensured: async () => (isSafe ? undefined : check()),
  }
}
