import { useCallback, useEffect, useRef, useState } from 'react'
import type { SessionEntry } from '../../../src/rules/routes/session-list-rows.ts'
import type { PanelSession } from '../../client/client.ts'
import { useAnnounce, useSession, useTexts } from '../session/provider.tsx'
import { refusalText } from '../texts/refusal-text.ts'
import { call } from './second-factor.ts'
import type { Unsuccessful } from './notice.ts'

/** The list of sessions, and the request about it that was last sent. */
interface SessionsState {
  /** `null`: not loaded. */
  readonly entries: readonly SessionEntry[] | null
  /** A new object makes the same words appear again. */
  readonly failure: Unsuccessful | null
  /** Number of requests that have ended sessions. */
  readonly ended: number
}

const START: SessionsState = { entries: null, failure: null, ended: 0 }

/** The request in flight: the id of the session that it ends, else `list` or `others`. */
type SessionsRequest = string

/** Provides the list of sessions, which is requested when it is first shown. */
export function useSessions() {
  const session = useSession()
  const announce = useAnnounce()
  const texts = useTexts()
  const { state, busy, run } = useRequests()
  const list = useCallback(
    () => run('list', async (before) => listed(session, before)),
    [run, session],
  )
  useEffect(() => void list(), [list])

  async function end(what: SessionsRequest, send: () => ReturnType<typeof endOthers>) {
    await run(what, async (before) => {
      const answer = await send()
      // Another tab may have ended it.
      const isGone = answer.outcome === 'refused' && answer.refusal.status === 404
      if (answer.outcome !== 'ok' && !isGone) return { ...before, failure: answer }
      announce(texts.text(what === 'others' ? 'ui.sessions.others_ended' : 'ui.sessions.ended'))
      return listed(session, { ...before, ended: before.ended + 1 })
    })
  }

  const { failure } = state
  return {
    ...state,
    busy,
    problem: failure && failureText(failure, texts),
    list,
    end: async (id: string) => end(id, async () => call(session, 'sessions.end', null, { id })),
    endOthers: async () => end('others', async () => endOthers(session)),
  }
}

function failureText(failure: Unsuccessful, texts: ReturnType<typeof useTexts>): string {
  return failure.outcome === 'unreachable'
    ? texts.text('ui.network')
    : refusalText(texts, failure.refusal)
}

async function endOthers(session: PanelSession) {
  return call(session, 'sessions.end-others')
}

async function listed(session: PanelSession, before: SessionsState): Promise<SessionsState> {
  const answer = await call(session, 'sessions')
  return answer.outcome === 'ok'
    ? { ...before, entries: answer.body.data, failure: null }
    : { ...before, failure: answer }
}

/** Keeps the state, and runs one request at a time. */
function useRequests() {
  const [state, setState] = useState(START)
  const [busy, setBusy] = useState<SessionsRequest | null>(null)
  // A ref, because the rendered state lags behind: a quick second press must send nothing.
  const current = useRef({ state: START, isBusy: false })
  const run = useCallback(
    async (what: SessionsRequest, act: (before: SessionsState) => Promise<SessionsState>) => {
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
