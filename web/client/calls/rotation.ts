import type { CallAnswer, CallName } from './answer.ts'

/** Calls of which a user must know that they may have been done, although the answer is missing. */
const MAY_BE_DONE = ['two-factor.confirm', 'password.change'] as const

export type UnansweredCall = (typeof MAY_BE_DONE)[number]

/**
 * Calls whose answer replaces the session cookie. Until it arrives, the old cookie may be invalid.
 */
export const ROTATING: ReadonlySet<CallName> = new Set([
  ...MAY_BE_DONE,
  'two-factor.disable',
  'impersonation.end',
])

/** Tracks the calls that replace the session cookie. */
export type Rotation = ReturnType<typeof createRotation>

export function createRotation() {
  const running = new Set<Promise<unknown>>()
  let unanswered: UnansweredCall | null = null
  return {
    async run<Answer extends CallAnswer>(
      name: CallName,
      send: () => Promise<Answer>,
    ): Promise<Answer> {
      if (!ROTATING.has(name)) return send()
      const call = send()
      running.add(call)
      try {
        const result = await call
        if (!mayBeDone(name)) return result
        if (isStillUnanswered(result, unanswered === name)) unanswered = name
        else if (unanswered === name || result.outcome === 'ok') unanswered = null
        return result
      } catch (error) {
        if (mayBeDone(name)) unanswered = name
        throw error
      } finally {
        running.delete(call)
      }
    },
    /** Waits for these calls: a request with the old cookie would be answered as a guest. */
    async settled() {
      await Promise.allSettled(running)
    },
    /**
     * Asks the user to confirm. Nobody waits for the calls that demand it meanwhile: they were
     * refused, and are sent again afterwards.
     */
    async whileAsked(ask: () => Promise<boolean>) {
      const waiting = [...running]
      running.clear()
      try {
        return await ask()
      } finally {
        for (const call of waiting) running.add(call)
      }
    },
    /**
     * Records the service's statement about the session, which settles a missing answer.
     *
     * @returns The call whose answer is missing: it may have been done.
     */
    takeUnanswered() {
      const taken = unanswered
      unanswered = null
      return taken
    },
  }
}

function mayBeDone(name: CallName): name is UnansweredCall {
  return MAY_BE_DONE.some((one) => one === name)
}

/**
 * Returns `true` while the answer is missing. A 401 settles nothing: the call itself may have
 * replaced the cookie.
 */
function isStillUnanswered(result: CallAnswer, before: boolean): boolean {
  if (result.outcome === 'ok') return false
  const { status } = result.refusal
  return status >= 500 || (status === 401 && before)
}
