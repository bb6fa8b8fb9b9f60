import { useCallback, useEffect, useRef, useState } from 'react'
import type { MessageKey } from '../../../src/rules/messages.ts'
import type { PanelSession } from '../../client/client.ts'
import { useAnnounce, useSession, useTexts } from '../session/provider.tsx'
import { refusalText } from '../texts/refusal-text.ts'
import type { Unsuccessful } from './notice.ts'

/** A list whose entries end here, and the request about it that was last sent. */
interface EndableState<Entry> {
  /** `null`: not loaded. */
  readonly entries: readonly Entry[] | null
  /** A new object makes the same words appear again. */
  readonly failure: Unsuccessful | null
  /** Number of requests that have ended entries. */
  readonly ended: number
}

/** The request in flight: `list`, or what it ends. */
type EndableRequest = string

/** Requests the list. Must keep its identity. */
type Load<Entry> = (
  session: PanelSession,
) => Promise<
  { readonly outcome: 'ok'; readonly body: { readonly data: readonly Entry[] } } | Unsuccessful
>

/** Provides a list of entries that end here. It is requested when it is first shown. */
export function useEndable<Entry>(load: Load<Entry>) {
  const session = useSession()
  const announce = useAnnounce()
  const texts = useTexts()
  const { state, busy, run } = useRequests<Entry>()
  const listed = useCallback(
    async (before: EndableState<Entry>): Promise<EndableState<Entry>> => {
      const answer = await load(session)
      return answer.outcome === 'ok'
        ? { ...before, entries: answer.body.data, failure: null }
        : { ...before, failure: answer }
    },
    [load, session],
  )
  const list = useCallback(async () => run('list', listed), [run, listed])
  useEffect(() => void list(), [list])

  /** Ends something, announces it, and requests the list again. */
  async function end(
    what: EndableRequest,
    said: MessageKey,
    send: (by: PanelSession) => Promise<{ readonly outcome: 'ok' } | Unsuccessful>,
  ): Promise<void> {
    await run(what, async (before) => {
      const answer = await send(session)
      // Another tab may have ended it.
      const isGone = answer.outcome === 'refused' && answer.refusal.status === 404
      if (answer.outcome !== 'ok' && !isGone) return { ...before, failure: answer }
      announce(texts.text(said))
      return listed({ ...before, ended: before.ended + 1 })
    })
  }

  const { failure } = state
  return { ...state, busy, problem: failure && failureText(failure, texts), list, end }
}

function failureText(failure: Unsuccessful, texts: ReturnType<typeof useTexts>): string {
  return failure.outcome === 'unreachable'
    ? texts.text('ui.network')
    : refusalText(texts, failure.refusal)
}

/** Keeps the state, and runs one request at a time. */
function useRequests<Entry>() {
  const start: EndableState<Entry> = { entries: null, failure: null, ended: 0 }
  const [state, setState] = useState(start)
  const [busy, setBusy] = useState<EndableRequest | null>(null)
  // A ref, because the rendered state lags behind: a quick second press must send nothing.
  const current = useRef({ state: start, isBusy: false })
  const run = useCallback(
    async (
      what: EndableRequest,
      act: (before: EndableState<Entry>) => Promise<EndableState<Entry>>,
    ) => {
      const { current: kept } = current
      if (kept.isBusy) return
      kept.isBusy = true
      setBusy(what)
      try {
        kept.state = await act({ ...kept.state, failure: null })
        setState(kept.state)
      } finally {
        kept.isBusy = false
        setBusy(null)
      }
    },
    [],
  )
  return { state, busy, run }
}
