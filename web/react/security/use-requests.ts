import { useCallback, useRef, useState } from 'react'
import { useFormState } from '../parts/use-form-state.ts'

/** Sends a request. @returns The state after its answer. */
type Work<State> = (before: State) => Promise<State>

interface RequestQueue<State> {
  isBusy: boolean
  waiting: Work<State> | null
}

/**
 * Keeps a state, and runs one request at a time: a quick second press sends nothing. Only the
 * request that reads what is shown waits for the one before it, which may have begun before the
 * change to read.
 *
 * @param reading Name of the request that reads what is shown.
 */
export function useRequests<State, Name extends string>(start: State, reading: Name) {
  const { form: state, current, moveTo } = useFormState(start)
  const [busy, setBusy] = useState<Name | null>(null)
  // A ref, because the rendered state lags behind.
  const turn = useRef<RequestQueue<State>>({ isBusy: false, waiting: null })
  const send = useCallback(
    async (name: Name, work: Work<State>) => {
      setBusy(name)
      moveTo(await work(current.current))
    },
    [current, moveTo],
  )
  const run = useCallback(
    async (name: Name, work: Work<State>): Promise<void> => {
      const { current: kept } = turn
      if (kept.isBusy) {
        if (name === reading) kept.waiting = work
        return
      }
      kept.isBusy = true
      const sent = send(name, work)
      try {
        await sent
        await takeWaiting(kept, async (waiting) => send(reading, waiting))
      } finally {
        turn.current = { isBusy: false, waiting: null }
        setBusy(null)
      }
    },
    [reading, send],
  )
  return { state, busy, run, moveTo, current }
}

/** Runs what has waited for the request before it, until nothing waits. */
async function takeWaiting<State>(
  turn: RequestQueue<State>,
  send: (work: Work<State>) => Promise<void>,
): Promise<void> {
  while (turn.waiting !== null) {
    const { waiting } = turn
    turn.waiting = null
    await send(waiting)
  }
}
