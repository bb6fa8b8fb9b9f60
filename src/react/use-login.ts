import { useCallback, useState } from 'react'
import type { LoginOutcome, Refusal } from '../client/client.ts'
import { useSession, useTexts } from './provider.tsx'
import { refusalText, waitKeyOf } from './refusal-text.ts'
import type { WaitKey } from './refusal-text.ts'
import type { Texts } from './texts.ts'

/** The fields of the form. */
export type LoginField = 'email' | 'password'

/** A message for each field that is at fault. */
export type FieldErrors = Readonly<Partial<Record<LoginField, string>>>

/** Where the form rests. */
export type LoginFormState =
  | { readonly state: 'idle' | 'sending' | 'waited' }
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
  const [form, setForm] = useState<LoginFormState>({ state: 'idle' })

  /** Keeps to itself what cannot succeed: missing fields, and anything while there is a wait. */
  async function submit(entered: Entered): Promise<LoginFormState> {
    if (form.state === 'waiting' || form.state === 'sending') return form
    const errors = missing(entered, texts)
    if (Object.keys(errors).length > 0) return moveTo({ state: 'incomplete', errors })
    moveTo({ state: 'sending' })
    return moveTo(formAfter(await session.login(entered), entered, texts))
  }

  function moveTo(next: LoginFormState): LoginFormState {
    setForm(next)
    return next
  }

  /** A wait of wrong passwords is one email's; another email may try at once. */
  const typedEmail = useCallback((email: string) => {
    setForm((form) =>
      form.state === 'waiting' && form.key === 'svc::auth.throttle' && !isSame(form.email, email)
        ? { state: 'idle' }
        : form,
    )
  }, [])

  const waitOver = useCallback(() => setForm({ state: 'waited' }), [])

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
