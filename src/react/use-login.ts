import { useCallback } from 'react'
import type { LoginOutcome, Refusal } from '../client/client.ts'
import { useSession, useTexts } from './provider.tsx'
import { refusalText, waitKeyOf } from './refusal-text.ts'
import type { WaitKey } from './refusal-text.ts'
import type { Texts } from './texts.ts'
import { useFormState } from './use-form-state.ts'

/** A message for each field that is at fault. */
export type FieldErrors = Readonly<Partial<Record<'email' | 'password', string>>>

/** Where the form rests. */
export type LoginFormState =
  /** `arrived`: nothing has been done yet, and the reason for being here still counts. */
  | { readonly state: 'arrived' | 'idle' | 'sending' | 'waited' }
  | { readonly state: 'incomplete'; readonly errors: FieldErrors }
  /** Email or password is wrong; which of them is not said. */
  | { readonly state: 'mismatch'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'waiting'
      readonly key: WaitKey
      readonly seconds: number
      /** Milliseconds since 1970. */
      readonly endsAt: number
      readonly email: string
    }

interface Entered {
  readonly email: string
  readonly password: string
}

/** The behaviour of the login form, without its looks. */
export function useLogin() {
  const session = useSession()
  const texts = useTexts()
  const { form, current, moveTo } = useFormState<LoginFormState>({ state: 'arrived' })

  /** Keeps to itself what cannot succeed: missing fields, and anything while there is a wait. */
  async function submit(entered: Entered): Promise<LoginFormState> {
    const { state } = current.current
    if (state === 'waiting' || state === 'sending') return current.current
    const errors = missing(entered, texts)
    if (Object.keys(errors).length > 0) return moveTo({ state: 'incomplete', errors })
    moveTo({ state: 'sending' })
    return moveTo(formAfter(await session.login(entered), entered, texts))
  }

  /** A wait of wrong passwords is one email's; another email may try at once. */
  function typedEmail(email: string): void {
    const now = current.current
    if (now.state !== 'waiting' || now.key !== 'svc::auth.throttle') return
    if (!isSame(now.email, email)) moveTo({ state: 'idle' })
  }

  const waitOver = useCallback(() => void moveTo({ state: 'waited' }), [moveTo])

  return { form, submit, typedEmail, waitOver }
}

function missing({ email, password }: Entered, { text }: Texts): FieldErrors {
  return {
    ...(email.trim() === '' && { email: text('ui.login.email_required') }),
    ...(password === '' && { password: text('ui.login.password_required') }),
  }
}

function formAfter(login: LoginOutcome, { email }: Entered, texts: Texts): LoginFormState {
  switch (login.outcome) {
    case 'ok':
      return { state: 'idle' }
    case 'busy':
      return { state: 'sending' }
    case 'no-session':
      return { state: 'failed', message: texts.text('ui.login.no_cookies') }
    case 'unreachable':
      return { state: 'failed', message: texts.text('ui.network') }
    case 'refused':
      return formAfterRefusal(login.refusal, email, texts)
  }
}

function formAfterRefusal(refusal: Refusal, email: string, texts: Texts): LoginFormState {
  const key = waitKeyOf(refusal)
  const seconds = refusal.retry_after ?? 0
  if (key !== null) {
    return { state: 'waiting', key, seconds, endsAt: Date.now() + seconds * 1000, email }
  }
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

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
