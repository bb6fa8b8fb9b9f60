import { useState } from 'react'
import type { FieldProblem, GuestReason, PanelState } from '../../client/client.ts'
import { AlertBox } from '../session/alert-box.tsx'
import { FieldLinks } from '../parts/field-links.tsx'
import { usePanelState, useText } from '../session/provider.tsx'
import { waitTexts } from '../texts/refusal-text.ts'
import { useWait } from '../parts/use-countdown.ts'
import type { FieldErrors, LoginFormState } from './use-login.ts'
import { useDelayedMessage } from '../parts/use-delayed-message.ts'

export const emailId = 'svc-login-email'
export const passwordId = 'svc-login-password'
export const messageId = 'svc-login-message'

export interface LoginAlertProps {
  readonly form: LoginFormState
  readonly onWaitOver: () => void
}

/** Renders the login form's message: an error, a wait, or the reason for being logged out. */
export function LoginAlert({ form, onWaitOver }: LoginAlertProps) {
  const text = useText()
  const { reason, focusOnReason } = useReason()
  const seconds = useWait(form.state === 'waiting' ? form : null, onWaitOver)
  switch (form.state) {
    case 'arrived':
      return (
        <AlertBox
          content={reason && { tone: 'note', message: text(`ui.reason.${reason}`) }}
          focusOn={focusOnReason}
        />
      )
    case 'idle':
    case 'sending':
      return <AlertBox content={null} />
    case 'waited':
      return <AlertBox content={{ tone: 'note', message: text('ui.throttle.over') }} />
    case 'incomplete': {
      const links = <FieldLinks problems={problemsOf(form.errors)} />
      return <AlertBox content={{ tone: 'problem', message: links }} focusOn={form} />
    }
    case 'mismatch':
    case 'failed': {
      const content = { tone: 'problem', message: form.message } as const
      return <AlertBox id={messageId} content={content} focusOn={form} />
    }
    case 'waiting': {
      // Screen readers announce the initial seconds once; only the screen shows the countdown.
      const content = { tone: 'problem', ...waitTexts(text, form, seconds) } as const
      const focusOn = form.cause === 'submitted' ? form : null
      return <AlertBox id={messageId} content={content} focusOn={focusOn} />
    }
  }
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

function problemsOf({ email, password }: FieldErrors): readonly FieldProblem[] {
  return [
    { id: emailId, message: email },
    { id: passwordId, message: password },
  ].flatMap(({ id, message }) => (message === undefined ? [] : [{ id, message }]))
}
