import { useCallback, useEffect } from 'react'
import type { MessageKey } from '../../../src/rules/messages.ts'
import type { PanelSession } from '../../client/client.ts'
import { useAnnounce, useSession, useTexts } from '../session/provider.tsx'
import { failureText } from '../session/refusal-text.ts'
import { useAccountReader, useReportChange } from './account-changes.tsx'
import type { Unsuccessful } from './notice.ts'
import { useRequests } from './use-requests.ts'

/** A list whose entries end here, and the request about it that was last sent. */
interface EndableState<Entry> {
  /** `null`: not loaded. */
  readonly entries: readonly Entry[] | null
  /** A new object makes the same words appear again. */
  readonly failure: Unsuccessful | null
  /** `user`: a press has asked for what failed, so that the message takes the focus. */
  readonly askedBy: 'page' | 'user'
  /** Number of presses whose button has disappeared. */
  readonly goneButtons: number
}

/** The request in flight: `list`, or what it ends. */

/** Requests the list. Must keep its identity. */
type LoadEntries<Entry> = (
  session: PanelSession,
) => Promise<
  { readonly outcome: 'ok'; readonly body: { readonly data: readonly Entry[] } } | Unsuccessful
>

/** Provides a list of entries that end here. It is requested when it is first shown. */
export function useEndable<Entry>(load: LoadEntries<Entry>) {
  const session = useSession()
  const announce = useAnnounce()
  const texts = useTexts()
  const start: EndableState<Entry> = {
    entries: null,
    failure: null,
    askedBy: 'page',
    goneButtons: 0,
  }
  const { state, busy, run } = useRequests<EndableState<Entry>, string>(start, 'list')
  const listed = useCallback(
    async (before: EndableState<Entry>): Promise<EndableState<Entry>> => {
      const answer = await load(session)
      return answer.outcome === 'ok'
        ? { ...before, entries: answer.body.data, failure: null }
        : { ...before, failure: answer }
    },
    [load, session],
  )
  useEffect(() => void run('list', listed), [run, listed])
  const reread = useCallback(
    async () =>
      run('list', async (before) => {
        const next = await listed(before)
        // The user has asked for nothing, so a failure changes nothing.
        return next.failure === null ? next : before
      }),
    [run, listed],
  )
  useAccountReader(reread)
  const report = useReportChange(reread)

  /** Requests the list again for a user whose first one has failed. */
  async function retry(): Promise<void> {
    await run('list', async (before) => {
      const next = await listed({ ...before, askedBy: 'user' })
      return next.failure === null ? { ...next, goneButtons: next.goneButtons + 1 } : next
    })
  }

  /** Ends something, announces it, and requests the list again. */
  async function end(
    what: string,
    said: MessageKey,
    send: (by: PanelSession) => Promise<{ readonly outcome: 'ok' } | Unsuccessful>,
  ): Promise<void> {
    await run(what, async (before) => {
      const answer = await send(session)
      // Another tab may have ended it.
      const isGone = answer.outcome === 'refused' && answer.refusal.status === 404
      if (answer.outcome !== 'ok' && !isGone) return { ...before, askedBy: 'user', failure: answer }
      announce(texts.text(said))
      session.channel.send('account-changed')
      report()
      return listed({ ...before, goneButtons: before.goneButtons + 1 })
    })
  }

  const { failure, askedBy } = state
  const problem = failure && failureText(failure, texts)
  const focusOn = askedBy === 'user' ? failure : null
  return { ...state, busy, problem, focusOn, retry, end }
}
