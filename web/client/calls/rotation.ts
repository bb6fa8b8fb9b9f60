import type { CallAnswer, CallName } from './answer.ts'

const CONFIRM: CallName = 'two-factor.confirm'

/**
 * Calls whose answer replaces the session cookie. Until it arrives, the old cookie may be invalid.
 */
export const ROTATING: ReadonlySet<CallName> = new Set([
  CONFIRM,
  'two-factor.disable',
  'password.change',
  'impersonation.end',
])

/** Tracks the calls that replace the session cookie. */
export type Rotation = ReturnType<typeof createRotation>

export function createRotation() {
  const running = new Set<Promise<unknown>>()
  let isUnanswered = false
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
        if (name === CONFIRM) isUnanswered = isStillUnanswered(result, isUnanswered)
        return result
      } catch (error) {
        if (name === CONFIRM) isUnanswered = true
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
     * @returns `true` if the answer to `two-factor.confirm` is missing: the factor may be on.
     */
    takeUnanswered() {
      const taken = isUnanswered
      isUnanswered = false
      return taken
    },
  }
}

/**
 * Returns `true` while the answer is missing. A 401 settles nothing: the confirmation itself may
 * have replaced the cookie.
 */
function isStillUnanswered(result: CallAnswer, before: boolean): boolean {
  if (result.outcome === 'ok') return false
  const { status } = result.refusal
  return status >= 500 || (status === 401 && before)
}
