import { useState } from 'react'
import type { GuestReason, PanelState } from '../../client/client.ts'
import { AlertBox } from '../session/alert-box.tsx'
import { useFormAlert } from '../session/use-form-alert.tsx'
import { usePanelState, useText } from '../session/provider.tsx'
import type { LoginFormState } from './use-login.ts'
import { useDelayedMessage } from '../parts/use-delayed-message.ts'

export interface LoginAlertProps {
  readonly form: LoginFormState
  readonly onWaitOver: () => void
}

/** Renders the login form's message: an error, a wait, or the reason for being logged out. */
export function LoginAlert({ form, onWaitOver }: LoginAlertProps) {
  const text = useText()
  const { reason, focusOnReason } = useReason()
  const alert = useFormAlert({ form, onWaitOver })
  if (form.state !== 'arrived') {
    const isTyped = form.state === 'waiting' && form.cause === 'typed'
    return <AlertBox {...alert} focusOn={isTyped ? null : alert.focusOn} />
  }
  const content = reason && ({ tone: 'note', message: text(`ui.reason.${reason}`) } as const)
  return <AlertBox content={content} focusOn={focusOnReason} />
}

function useReason() {
  const state = usePanelState()
  const [initialState] = useState(state)
  const reason = useDelayedMessage(initialState.state === 'guest' ? initialState.reason : null)
  return { reason, focusOnReason: isReasonFirst(initialState) ? reason : null }
}

const EXPLAINED_FIRST: ReadonlySet<GuestReason> = new Set<GuestReason>([
  'code_expired',
  'code_exhausted',
  'confirm_unanswered',
  'change_unanswered',
])

/**
 * Returns `true` if the reason takes the focus: no field is filled in, or a step back needs an
 * explanation.
 */
export function isReasonFirst(initialState: PanelState): boolean {
  if (initialState.state !== 'guest' || initialState.reason === null) return false
  const { reason, email } = initialState
  return email === null || EXPLAINED_FIRST.has(reason)
}
