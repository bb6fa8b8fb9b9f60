import { sizes } from '../../rules/limits.ts'

/**
 * Returns the records of a user that are to end, so that one more is not too many: those with the
 * earliest times. Whoever knows a password can open sessions without end, and a list takes time
 * with each.
 *
 * @returns a bounded number, so that one login can end them in time.
 */
export function surplusOf<One>(all: readonly One[], timeOf: (one: One) => number): readonly One[] {
  const inOrder = all.toSorted((one, other) => timeOf(one) - timeOf(other))
  return inOrder.slice(0, 1 - sizes.sessionsOfUser).slice(0, sizes.sessionsOfUser)
}
