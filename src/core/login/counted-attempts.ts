import type { LimitName } from '../../rules/limits.ts'
import type { Attempt, Attempts } from '../attempts/attempts.ts'
import type { SignedPart } from '../crypto.ts'

/** A count of attempts, and its limit. */
export interface Count {
  readonly limit: LimitName
  readonly parts: readonly SignedPart[]
}

/** One outcome of each name, so that a comparison of names leaves out the others. */
export type OutcomeNamed<Name extends string> = Name extends string
  ? { readonly outcome: Name }
  : never

/** The outcome of an attempt that a limit refuses. */
export interface Throttled {
  readonly outcome: 'throttled'
  readonly retryAfterSeconds: number
}

/** Counts an attempt in every count before it is made, or in none if one of them refuses it. */
export async function reserveAll(
  attempts: Attempts,
  counts: readonly Count[],
): Promise<readonly Attempt[] | Throttled> {
  const counted: Attempt[] = []
  for (const { limit, parts } of counts) {
    const attempt = await attempts.reserve(limit, ...parts)
    counted.push(attempt)
    if (attempt.granted) continue
    await releaseAll(counted)
    return { outcome: 'throttled', retryAfterSeconds: attempt.retryAfterSeconds }
  }
  return counted
}

/** Gives attempts back, because they do not count. */
export async function releaseAll(counted: readonly Attempt[]): Promise<void> {
  await Promise.all(counted.map(async (one) => one.release()))
}

/** Clears the windows of attempts, after a success. */
export async function clearAll(counted: readonly Attempt[]): Promise<void> {
  await Promise.all(counted.map(async (one) => one.clear()))
}
