import { useCallback, useState } from 'react'
import type { LoginOutcome, Refusal } from '../../client/client.ts'
import { createLoginWaits } from './login-waits.ts'
import { useSession, useTexts } from '../session/provider.tsx'
import { refusalText, waitAfter, type RefusedWait } from '../session/refusal-text.ts'
import type { Texts } from '../texts/texts.ts'
import { useFormState } from '../parts/use-form-state.ts'

/** A message for each invalid field. */
export type FieldErrors = Readonly<Partial<Record<'email' | 'password', string>>>

/** State of the form. */
export type LoginFormState =
  /**
   * `arrived`: the user has done nothing yet, and the reason for being logged out is still shown.
   */
  | { readonly state: 'arrived' | 'idle' | 'sending' | 'waited' }
  | { readonly state: 'incomplete'; readonly errors: FieldErrors }
  /** Email or password is wrong; the message does not say which. */
  | { readonly state: 'mismatch'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string }
  /** `cause`: only the answer to a login moves the focus; typing an email with a wait does not. */
  | ({ readonly state: 'waiting'; readonly cause: 'submitted' | 'typed' } & RefusedWait)

interface Credentials {
  readonly email: string
  readonly password: string
  /** Given if the user wants to stay logged in. */
  readonly remember?: boolean
}

/** Provides the login form's behaviour. */
export function useLogin() {
  const session = useSession()
  const texts = useTexts()
  const { form, current, moveTo } = useFormState<LoginFormState>({ state: 'arrived' })
  const [waits] = useState(createLoginWaits)

  /** Sends nothing that cannot succeed: with empty fields, or during the email's wait. */
  async function submit(entered: Credentials): Promise<LoginFormState> {
    if (current.current.state === 'sending') return current.current
    // A password manager may have filled in the email without any event.
    showWaitOf(entered.email)
    if (current.current.state === 'waiting') return current.current
    const errors = requiredErrors(entered, texts)
    if (Object.keys(errors).length > 0) return moveTo({ state: 'incomplete', errors })
    moveTo({ state: 'sending' })
    const next = formAfter(await session.login(entered), texts)
    if (next.state === 'waiting') waits.add(entered.email, next)
    return moveTo(next)
  }

  /** Shows the wait of the email in the field. */
  function showWaitOf(email: string): void {
    const now = current.current
    if (now.state === 'sending') return
    const shown = now.state === 'waiting' ? now.endsAt : null
    const wait = waits.find(email)
    if (wait !== null && wait.endsAt !== shown) {
      moveTo({ state: 'waiting', cause: 'typed', ...wait })
    } else if (wait === null && shown !== null) {
      moveTo({ state: 'idle' })
    }
  }

  const endWait = useCallback(() => void moveTo({ state: 'waited' }), [moveTo])

  return { form, submit, showWaitOf, endWait }
}

function requiredErrors({ email, password }: Credentials, { text }: Texts): FieldErrors {
  return {
    ...(email.trim() === '' && { email: text('ui.login.email_required') }),
    ...(password === '' && { password: text('ui.login.password_required') }),
  }
}

function formAfter(login: LoginOutcome, texts: Texts): LoginFormState {
  switch (login.outcome) {
    case 'ok':
      return { state: 'idle' }
    case 'no-session':
      return { state: 'failed', message: texts.text('ui.login.no_cookies') }
    // Another form still waits for the service, as after leaving this screen and coming back.
    case 'busy':
    case 'unreachable':
      return { state: 'failed', message: texts.text('ui.network') }
    case 'refused':
      return formAfterRefusal(login.refusal, texts)
  }
}

function formAfterRefusal(refusal: Refusal, texts: Texts): LoginFormState {
  const wait = waitAfter(refusal)
  if (wait !== null) return { state: 'waiting', cause: 'submitted', ...wait }
  const message = refusalText(texts, refusal)
  if (refusal.key === 'svc::auth.failed') return { state: 'mismatch', message }
  if (refusal.key !== 'svc::auth.invalid') return { state: 'failed', message }
  const errors = fieldErrors(refusal)
  return Object.keys(errors).length > 0
    ? { state: 'incomplete', errors }
    : { state: 'failed', message }
}

function fieldErrors({ errors }: Refusal): FieldErrors {
  const email = errors?.['email']?.[0]
  const password = errors?.['password']?.[0]
  return { ...(email !== undefined && { email }), ...(password !== undefined && { password }) }
}
