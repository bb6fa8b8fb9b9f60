import { useCallback, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { FormId, useElementId, useMessageId } from '../parts/element-id.ts'
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
  const form = useFormId(part)
  return (
    <form
      {...useLanguageAttributes()}
      {...form}
      noValidate
      method="post"
      aria-busy={state === 'sending'}
      data-svc-part={part}
      onSubmit={submit}
    >
      <FormId.Provider value={form.id}>{children}</FormId.Provider>
    </form>
  )
}

/** Returns an id that is the same at each visit, or another one if the page has it already. */
function useFormId(part: string) {
  const [id, setId] = useState(`svc-${part}`)
  const otherId = useElementId()
  const ref = useCallback(
    (form: HTMLFormElement | null) => {
      if (form === null) return
      const root = form.getRootNode() as unknown as ParentNode
      if (root.querySelectorAll(`form[id="${form.id}"]`).length > 1) setId(otherId)
    },
    [otherId],
  )
  return { id, ref }
}

interface StepButtonProps {
  readonly state: string
  readonly label: string
  readonly sendingLabel: string
}

/** Renders the button of a form, which waits and sends with the form. */
export function StepButton({ state, label, sendingLabel }: StepButtonProps) {
  const messageId = useMessageId()
  return (
    <Button type="submit" part="submit" waitsFor={state === 'waiting' ? messageId : null}>
      {state === 'sending' ? sendingLabel : label}
    </Button>
  )
}
