import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { typedCode } from '../../client/typed-code.ts'
import type { PanelSession } from '../../client/client.ts'
import { useAnnounce, usePanelState, useSession, useText } from '../provider.tsx'
import type { Notice } from './notice.ts'
import { beginSetUp, confirmSaved, confirmSetUp, look, turnOff } from './second-factor.ts'
import type { Codes, Factor, Off, On, SettingUp, Step } from './second-factor.ts'

/** The request in flight. */
export type SecurityAction =
  | 'looking'
  | 'beginning'
  | 'confirming'
  | 'confirming-saved'
  | 'turning-off'
  | 'going-on'

/** Actions of the security page, without its appearance. */
export interface Security {
  readonly factor: Factor
  readonly notice: Notice | null
  readonly doing: SecurityAction | null
  /** `true` if the user must complete this page to enter the panel. */
  readonly isGate: boolean
  look(): Promise<void>
  begin(before: Off | SettingUp, how: 'again' | 'fresh'): Promise<void>
  /** Leaves the set-up, which stays valid for ten minutes. */
  cancel(before: SettingUp): void
  confirm(before: SettingUp, typed: string): Promise<void>
  /** Tells the service that the recovery codes are saved, and forgets them. */
  confirmSaved(before: Codes | On): Promise<void>
  turnOff(): Promise<void>
  /** Continues to the panel. */
  goOn(): Promise<void>
  /** Keeps its identity between renders. */
  readonly say: (notice: Notice) => void
}

const START: Step = { factor: { state: 'loading' }, notice: null }

/** Provides the security page's behaviour. */
export function useSecurity(): Security {
  const session = useSession()
  const announce = useAnnounce()
  const text = useText()
  const isGate = usePanelState().state === 'gated'
  const { step, doing, moveTo, say, take } = useSteps()
  useStatusUpdates(session, take)
  useGateHold(session, step, doing)

  return {
    ...step,
    doing,
    isGate,
    look: () => take('looking', (factor) => look(session, factor)),
    begin: (before, how) => take('beginning', () => beginSetUp(session, before, how)),
    cancel({ required }) {
      moveTo({ factor: { state: 'off', required, pending: true }, notice: null })
    },
    async confirm(before, typed) {
      if (step.notice?.notice === 'waiting') return
      const code = typedCode(typed)
      if (code === '') moveTo({ factor: before, notice: { notice: 'code-missing' } })
      else await take('confirming', () => confirmSetUp(session, before, code))
    },
    confirmSaved: (before) => take('confirming-saved', () => confirmSaved(session, before)),
    async turnOff() {
      await take('turning-off', async (factor) => {
        const next = await turnOff(session, factor)
        if (next.factor.state === 'off') announce(text('ui.tf.turned_off'))
        return next
      })
    },
    goOn: () => take('going-on', (factor) => goOn(session, factor)),
    say,
  }
}

/** Keeps the state, and runs one step at a time. */
function useSteps() {
  const [step, setStep] = useState(START)
  const [doing, setDoing] = useState<SecurityAction | null>(null)
  // A ref, because the rendered state lags behind: a quick second press must not start a second
  // step.
  const current = useRef({ step, isBusy: false })

  const moveTo = useCallback((next: Step) => {
    current.current.step = next
    setStep(next)
  }, [])

  const say = useCallback((notice: Notice) => moveTo({ ...current.current.step, notice }), [moveTo])

  const take = useCallback(
    async (what: SecurityAction, act: (factor: Factor) => Promise<Step>) => {
      const { isBusy, step } = current.current
      if (isBusy) return
      current.current.isBusy = true
      setDoing(what)
      moveTo({ ...step, notice: null })
      try {
        moveTo(await act(step.factor))
      } finally {
        current.current.isBusy = false
        setDoing(null)
      }
    },
    [moveTo],
  )

  return { step, doing, moveTo, say, take }
}

type Take = ReturnType<typeof useSteps>['take']

/** Requests the status on mount, and when another tab has changed it. */
function useStatusUpdates(session: PanelSession, take: Take): void {
  useEffect(() => {
    const ask = () => void take('looking', (factor) => lookAgain(session, factor))
    ask()
    return session.channel.listen((message) => {
      if (message === 'two-factor-changed') ask()
    })
  }, [session, take])
}

/**
 * Requests the status again, but keeps unsaved recovery codes on the screen, whatever another tab
 * does.
 */
async function lookAgain(session: PanelSession, factor: Factor): Promise<Step> {
  return factor.state === 'codes' ? { factor, notice: null } : look(session, factor)
}

/** Holds the gate open so that one-time recovery codes stay visible until they are saved. */
function useGateHold(
  session: PanelSession,
  { factor, notice }: Step,
  doing: SecurityAction | null,
): void {
  const isLost = notice?.notice === 'codes-lost'
  const isUnseen = factor.state === 'on' && factor.codesUnseen && doing !== 'going-on'
  const stays = factor.state === 'setting-up' || factor.state === 'codes' || isLost || isUnseen
  const isDone = factor.state === 'on' && !factor.codesUnseen && notice === null
  useLayoutEffect(() => (stays ? session.stay() : undefined), [session, stays])
  useEffect(() => {
    if (isDone && session.getState().state === 'gated') void session.refresh()
  }, [session, isDone])
}

async function goOn(session: PanelSession, factor: Factor): Promise<Step> {
  const { outcome } = await session.refresh()
  return { factor, notice: outcome === 'unreachable' ? { notice: 'unreachable' } : null }
}
