import type { FormEvent, ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { useLanguageAttributes } from './provider.tsx'

interface StepFormProps {
  /** Its `data-svc-part`. */
  readonly part: string
  /** The state of what it sends. */
  readonly state: string
  readonly onSubmit: (form: HTMLFormElement) => Promise<unknown>
  readonly children: ReactNode
}

/** Renders a form in the language of the texts, busy while it sends. */
export function StepForm({ part, state, onSubmit, children }: StepFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void onSubmit(event.currentTarget)
  }
  return (
    <form
      {...useLanguageAttributes()}
      noValidate
      method="post"
      aria-busy={state === 'sending'}
      data-svc-part={part}
      onSubmit={submit}
    >
      {children}
    </form>
  )
}

interface StepButtonProps {
  readonly state: string
  /** Id of the text that says why the form waits. */
  readonly messageId: string
  readonly label: string
  readonly sendingLabel: string
}

/** Renders the button of a form, which waits and sends with the form. */
export function StepButton({ state, messageId, label, sendingLabel }: StepButtonProps) {
  return (
    <Button type="submit" part="submit" waitsFor={state === 'waiting' ? messageId : null}>
      {state === 'sending' ? sendingLabel : label}
    </Button>
  )
}
