import { useContext } from 'react'
import { FormId, useMessageId } from '../parts/element-id.ts'
import { FieldLinks } from '../parts/field-links.tsx'
import { useWait } from '../parts/use-countdown.ts'
import { waitTexts, type RefusedWait } from './refusal-text.ts'
import type { AlertBoxProps, AlertContent } from './alert-box.tsx'
import { useText } from './provider.tsx'

/** State of a form, as far as its alert says something about it. */
type AlertedForm =
  | { readonly state: string }
  | { readonly state: string; readonly message: string }
  | { readonly state: string; readonly errors: Readonly<Partial<Record<string, string>>> }
  | ({ readonly state: 'waiting' } & RefusedWait)

interface FormAlert {
  readonly form: AlertedForm
  /** Must keep its identity between renders. */
  readonly onWaitOver: () => void
}

/**
 * Provides the alert of the form around it: the errors of its fields, another error, or a wait. It
 * takes the focus with each problem.
 */
export function useFormAlert({ form, onWaitOver }: FormAlert): AlertBoxProps {
  const text = useText()
  const formId = useContext(FormId)
  const id = useMessageId()
  const wait = 'seconds' in form ? form : null
  const seconds = useWait(wait, onWaitOver)
  // Screen readers announce the initial seconds once; only the screen shows the countdown.
  if (wait !== null) return problem(waitTexts(text, wait, seconds))
  if ('message' in form) return problem({ message: form.message })
  if ('errors' in form) {
    const problems = Object.entries(form.errors).flatMap(([name, message]) =>
      message === undefined ? [] : [{ id: `${formId}-${name}`, message }],
    )
    return problem({ message: <FieldLinks problems={problems} /> })
  }
  if (form.state !== 'waited') return { content: null }
  return { content: { tone: 'note', message: text('ui.throttle.over') } }

  function problem(content: Omit<Extract<AlertContent, { readonly tone: 'problem' }>, 'tone'>) {
    return { id, content: { tone: 'problem', ...content }, focusOn: form } as const
  }
}
