import { StoreError } from '../../contracts/errors.ts'
import type { RedisConnection } from './connection.ts'
import { list, text } from './replies.ts'
import { evictionScript } from './scripts.ts'

/** Returns a warning where a full Redis removes records that have not expired, or `null`. */
export async function evictionWarning(redis: RedisConnection): Promise<string | null> {
  const policy = text(await redis.run(evictionScript, [], []))
  return policy === 'noeviction' ? null : warningOf(policy)
}

/**
 * Returns the reply of a script that returns a policy where a full Redis removes records. Requests
 * that fill the memory would then make it forget failed logins.
 *
 * @throws {StoreError} The reply is a policy, or not a list.
 */
export function listUnlessEvicted(reply: unknown): readonly unknown[] {
  if (typeof reply === 'string') throw new StoreError(warningOf(reply))
  return list(reply)
}

function warningOf(policy: string): string {
  return `a full Redis removes sessions and counts of failed logins by its policy ${policy}; set maxmemory-policy to noeviction`
}
