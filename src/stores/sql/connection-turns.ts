import type { InTime } from '../store-deadline.ts'

/** The time for which calls keep to the connections that a full server has left them. */
const FULL_MS = 1000

/**
 * Creates the turns of the calls. A pool below its maximum opens a connection for each call that
 * finds none idle, and each attempt costs a full server more than a statement. So for a second
 * after a refusal, the calls wait for the connections that there are.
 */
export function createConnectionTurns() {
  const waiting = new Set<() => void>()
  const state = { turns: 0, lent: 0, returns: 0, most: 0, fullUntil: 0 }
  let refusal: unknown = null
  const isUsedUp = (turns: number): boolean =>
    performance.now() < state.fullUntil && turns >= state.most
  function pass(): void {
    const [next] = waiting
    // Calls of before the refusal may have more turns than there are connections.
    if (next === undefined || isUsedUp(state.turns - 1)) state.turns -= 1
    else next()
  }
  return {
    /** Returns the number of connections that have been returned. */
    returns: () => state.returns,
    noteLent: (): void => void (state.lent += 1),
    /**
     * Begins the turn of a call, in the order of the calls.
     *
     * @throws the latest refusal, if the call gets no turn in time.
     */
    async beginTurn(inTime: InTime): Promise<void> {
      if (!isUsedUp(state.turns)) return void (state.turns += 1)
      await waitForTurn(waiting, inTime, pass).catch(() => {
        throw refusal
      })
    },
    /** Ends the turn of a call that got no connection. */
    endTurn: pass,
    /** Ends the turn of a call that has returned its connection. */
    noteReturned(): void {
      state.lent -= 1
      state.returns += 1
      pass()
    },
    /**
     * Notes that the server opens no more connections.
     *
     * @param error The refusal.
     * @param before The number of returns before the attempt.
     * @returns Whether the call can get a connection without a new one: others have some, or one
     *   was returned during the attempt.
     */
    noteFull(error: unknown, before: number): boolean {
      refusal = error
      if (state.lent === 0 && state.returns === before) return false
      state.most = Math.max(1, state.lent)
      state.fullUntil = performance.now() + FULL_MS
      return true
    },
  }
}

/** Waits for a turn that another call passes on. */
async function waitForTurn(
  waiting: Set<() => void>,
  inTime: InTime,
  pass: () => void,
): Promise<void> {
  let isPassed = false
  let take = (): void => undefined
  const turn = new Promise<void>((resolve) => {
    take = () => {
      isPassed = true
      waiting.delete(take)
      resolve()
    }
    waiting.add(take)
  })
  try {
    await inTime(turn)
  } catch (error) {
    waiting.delete(take)
    if (isPassed) pass()
    throw error
  }
}
