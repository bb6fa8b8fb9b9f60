import { useCallback } from 'react'
import type { PasswordOutcome, Refusal } from '../../client/client.ts'
import { useTexts } from '../session/provider.tsx'
import { refusalText, waitAfter, type RefusedWait } from '../session/refusal-text.ts'
import type { Problem } from '../session/use-problem.ts'
import type { Texts } from '../texts/texts.ts'
import { useFormState } from '../parts/use-form-state.ts'

/**
 * A field of a form that takes a password or a code, by its name on the wire. `proof` is the
 * password or the code of a confirmation.
 */
export type PasswordFormField = (typeof FIELDS)[number]

const FIELDS = ['email', 'current_password', 'password', 'proof', 'code', 'name'] as const

/** A message for each invalid field. */
export type PasswordFormErrors = Readonly<Partial<Record<PasswordFormField, string>>>

/** State of a form of the passwords layer. */
export type PasswordFormState =
  | { readonly state: 'idle' | 'sending' | 'waited' | 'done' }
  /** The token of the link is expired, used or wrong. */
  | { readonly state: 'link-invalid' }
  | { readonly state: 'incomplete'; readonly errors: PasswordFormErrors }
  | { readonly state: 'failed'; readonly message: string }
  | ({ readonly state: 'waiting' } & RefusedWait)

/** Values of a form. */
export type Entered<Field extends PasswordFormField> = Readonly<Record<Field, string>>

interface PasswordFormOptions<Field extends PasswordFormField> {
  /** The message of each field while it is empty. */
  readonly required: Entered<Field>
  readonly send: (entered: Entered<Field>) => Promise<PasswordOutcome>
}

/** Provides the behaviour of a form: it sends nothing that cannot succeed, and nothing twice. */
export function usePasswordForm<Field extends PasswordFormField>({
  required,
  send,
}: PasswordFormOptions<Field>) {
  const texts = useTexts()
  const { form, current, moveTo } = useFormState<PasswordFormState>({ state: 'idle' })

  async function submit(element: HTMLFormElement): Promise<PasswordFormState> {
    const { state } = current.current
    if (state === 'sending' || state === 'waiting') return current.current
    const entered = enteredIn(element, required)
    const errors = missingIn(entered, required)
    if (Object.keys(errors).length > 0) return moveTo({ state: 'incomplete', errors })
    moveTo({ state: 'sending' })
    return moveTo(formAfter(await send(entered), texts))
  }

  const endWait = useCallback(() => void moveTo({ state: 'waited' }), [moveTo])

  return { form, submit, endWait }
}

/** Returns `shown` if the form shows an error. */
export function problemIn({ state }: PasswordFormState): Problem {
  return state === 'incomplete' || state === 'failed' || state === 'waiting' ? 'shown' : 'none'
}

/** Reads the form itself, because password managers fill fields in without key events. */
function enteredIn<Field extends PasswordFormField>(
  element: HTMLFormElement,
  fields: Entered<Field>,
): Entered<Field> {
  const data = new FormData(element)
  const values = Object.keys(fields).map((name) => {
    const value = data.get(name)
    return [name, typeof value === 'string' ? value : '']
  })
  // The names are those of the fields.
  return Object.fromEntries(values) as Entered<Field>
}

function missingIn<Field extends PasswordFormField>(
  entered: Entered<Field>,
  required: Entered<Field>,
): PasswordFormErrors {
  const names = Object.keys(required) as Field[]
  const missing = names.filter((name) =>
    name === 'email' ? entered[name].trim() === '' : entered[name] === '',
  )
  return Object.fromEntries(missing.map((name) => [name, required[name]]))
}

function formAfter(answer: PasswordOutcome, texts: Texts): PasswordFormState {
  switch (answer.outcome) {
    case 'ok':
      return { state: 'done' }
    // Another form still waits for the service, as after leaving this screen and coming back.
    case 'busy':
    case 'unreachable':
      return { state: 'failed', message: texts.text('ui.network') }
    case 'refused':
      return formAfterRefusal(answer.refusal, texts)
  }
}

function formAfterRefusal(refusal: Refusal, texts: Texts): PasswordFormState {
  const wait = waitAfter(refusal)
  if (wait !== null) return { state: 'waiting', ...wait }
  if (refusal.key === 'svc::auth.password_link_invalid') return { state: 'link-invalid' }
  const message = refusalText(texts, refusal)
  const errors = fieldErrors(refusal, message)
  return Object.keys(errors).length > 0
    ? { state: 'incomplete', errors }
    : { state: 'failed', message }
}

/** Returns the errors of the fields, in the words of the panel where it has some. */
function fieldErrors({ key, errors = {} }: Refusal, message: string): PasswordFormErrors {
  const isInvalid = key === 'svc::auth.invalid'
  if (!isInvalid && !INCORRECT.has(key)) return {}
  const messages = FIELDS.filter((name) => errors[name] !== undefined).map((name) => [
    name,
    isInvalid ? errors[name]?.[0] : message,
  ])
  return Object.fromEntries(messages)
}

const INCORRECT: ReadonlySet<string> = new Set([
  'svc::auth.password_incorrect',
  'svc::auth.two_factor_invalid',
  'svc::auth.two_factor_setup_missing',
])
