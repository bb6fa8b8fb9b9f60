import type { CallName, CallResult } from './auth-client.ts'

const CONFIRM: CallName = 'two-factor.confirm'
/** Calls whose answer replaces the session's cookie; without it the old cookie may be worthless. */
const ROTATING: ReadonlySet<CallName> = new Set([CONFIRM, 'two-factor.disable'])

/** Follows the calls that replace the session's cookie. */
export interface Rotation {
  run<Name extends CallName>(
    name: Name,
    send: () => Promise<CallResult<Name>>,
  ): Promise<CallResult<Name>>
  /** Waits for the calls under way: asking with the old cookie would make a guest of a logged-in person. */
  settled(): Promise<void>
  /**
   * Takes note of what the service says about the session, which settles a missing answer.
   *
   * @returns Whether the answer to `two-factor.confirm` is missing: the second factor may be on.
   */
  takeUnanswered(): boolean
}

export function createRotation(): Rotation {
  const running = new Set<Promise<unknown>>()
  let isUnanswered = false
  return {
    async run(name, send) {
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
    async settled() {
      await Promise.allSettled(running)
    },
    takeUnanswered() {
      const taken = isUnanswered
      isUnanswered = false
      return taken
    },
  }
}

/** A 401 says nothing about an earlier confirmation: that may be what has replaced the cookie. */
function isStillUnanswered(result: CallResult<CallName>, before: boolean): boolean {
  if (result.outcome === 'ok') return false
  const { status } = result.refusal
  return status >= 500 || (status === 401 && before)
}
