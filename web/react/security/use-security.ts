import { useCallback, useEffect, useLayoutEffect } from 'react'
import { normalizeTypedCode } from '../../client/session/typed-code.ts'
import type { PanelSession } from '../../client/client.ts'
import { useAnnounce, usePanelState, useSession, useText } from '../session/provider.tsx'
import { useReportChange } from './account-changes.tsx'
import { takeKeptCodes, useKeptCodes } from './kept-codes.ts'
import { noticeOf, type Notice } from './notice.ts'
import { beginSetUp, confirmSaved, confirmSetUp, requestStatus, turnOff } from './second-factor.ts'
import type { Codes, Factor, Off, On, SettingUp, FactorStep } from './second-factor.ts'
import { useRequests } from './use-requests.ts'

/** The request in flight. */
type SecurityAction =
  | 'requesting-status'
  | 'beginning'
  | 'confirming'
  | 'confirming-saved'
  | 'turning-off'
  | 'continuing'

/** Actions of the security page, without its appearance. */
export type Security = ReturnType<typeof useSecurity>

const START: FactorStep = { factor: { state: 'loading' }, notice: null }

/** Provides the security page's behaviour. */
export function useSecurity() {
  const session = useSession()
  const announce = useAnnounce()
  const text = useText()
  const isGate = usePanelState().state === 'gated'
  const reportChange = useReportChange(null)
  const { step, action, moveTo, showNotice, run, read } = useSteps()
  useStatusUpdates(session, read)
  useGateHold(session, step, action)
  useKeptCodes(step.factor)

  return {
    ...step,
    action,
    /** `true` if the user must complete this page to enter the panel. */
    isGate,
    requestStatus: () => run('requesting-status', (factor) => requestStatus(session, factor)),
    beginSetUp: (before: Off | SettingUp, how: 'again' | 'fresh') =>
      run('beginning', async () => {
        const next = await beginSetUp(session, before, how)
        if (next.notice === null && next.factor.state === 'setting-up')
          session.channel.send('two-factor-changed')
        return next
      }),
    /** Leaves the set-up, which stays valid for ten minutes. */
    cancelSetUp({ required, daysLeft }: SettingUp) {
      moveTo({ factor: { state: 'off', required, daysLeft, pending: true }, notice: null })
    },
    async confirmSetUp(before: SettingUp, typed: string) {
      if (step.notice?.notice === 'waiting') return
      const code = normalizeTypedCode(typed)
      if (code === '') moveTo({ factor: before, notice: { notice: 'code-missing' } })
      else await run('confirming', () => confirmSetUp(session, before, code))
    },
    /** Tells the service that the recovery codes are saved, and forgets them. */
    confirmSaved: (before: Codes | On) =>
      run('confirming-saved', () => confirmSaved(session, before)),
    async turnOff() {
      await run('turning-off', async (factor) => {
        const next = await turnOff(session, factor)
        if (next.factor.state === 'off') {
          announce(text('ui.tf.turned_off'))
          reportChange()
        }
        return next
      })
    },
    /** Continues to the panel. */
    continueToPanel: () => run('continuing', (factor) => continueToPanel(session, factor)),
    /** Keeps its identity between renders. */
    showNotice,
  }
}

/** Keeps the state, and runs one step at a time. */
function useSteps() {
  const turns = useRequests<FactorStep, SecurityAction>(START, 'requesting-status')
  const { state: step, busy: action, run: runStep, moveTo, current } = turns

  const showNotice = useCallback(
    (notice: Notice) => void moveTo({ ...current.current, notice }),
    [moveTo, current],
  )

  const run = useCallback(
    async (what: SecurityAction, act: (factor: Factor) => Promise<FactorStep>) =>
      runStep(what, async (before) => {
        moveTo({ ...before, notice: null })
        return act(before.factor)
      }),
    [runStep, moveTo],
  )

  /** Reads the status while the notice of the last step stays. */
  const read = useCallback(
    async (session: PanelSession) =>
      runStep('requesting-status', async (before) => refreshStatus(session, before)),
    [runStep],
  )

  return { step, action, moveTo, showNotice, run, read }
}

/** Requests the status on mount, and when another tab has changed it. */
function useStatusUpdates(session: PanelSession, read: ReturnType<typeof useSteps>['read']): void {
  useEffect(() => {
    void read(session)
    return session.channel.listen((message) => {
      if (message === 'two-factor-changed') void read(session)
    })
  }, [session, read])
}

/**
 * Requests the status again, but keeps unsaved recovery codes on the screen, whatever another tab
 * does. The user has asked for nothing, so the notice of the last step stays while it fits.
 */
async function refreshStatus(session: PanelSession, before: FactorStep): Promise<FactorStep> {
  if (before.factor.state === 'codes') return before
  const next = await requestStatus(session, before.factor)
  const isUnseen = next.factor.state === 'on' && next.factor.codesUnseen
  const kept = isUnseen ? takeKeptCodes(session) : null
  if (kept !== null) return { factor: kept, notice: null }
  return next.factor.state === before.factor.state ? { ...next, notice: before.notice } : next
}

/** Holds the gate open so that one-time recovery codes stay visible until they are saved. */
function useGateHold(
  session: PanelSession,
  { factor, notice }: FactorStep,
  action: SecurityAction | null,
): void {
  const isLost = notice?.notice === 'codes-lost'
  const isUnseen = factor.state === 'on' && factor.codesUnseen && action !== 'continuing'
  const stays = factor.state === 'setting-up' || factor.state === 'codes' || isLost || isUnseen
  const isDone = factor.state === 'on' && !factor.codesUnseen && notice === null
  useLayoutEffect(() => (stays ? session.stay() : undefined), [session, stays])
  useEffect(() => {
    if (isDone && session.getState().state === 'gated') void session.refresh()
  }, [session, isDone])
}

async function continueToPanel(session: PanelSession, factor: Factor): Promise<FactorStep> {
  const answer = await session.refresh()
  if (answer.outcome === 'answered') return { factor, notice: null }
  const { refusal } = answer
  return { factor, notice: noticeOf(refusal === null ? answer : { outcome: 'refused', refusal }) }
}
