import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { FieldLinks } from '../parts/field-links.tsx'
import { useText } from '../session/provider.tsx'
import { waitTexts } from '../texts/refusal-text.ts'
import { useWait } from '../parts/use-countdown.ts'
import type { PasswordFormField, PasswordFormState } from './use-password-form.ts'

/** Id for the `aria-describedby` of the button that waits. */
export const messageId = 'svc-password-message'

/** Returns the id of a field. */
export function fieldId(name: PasswordFormField): string {
  return `svc-password-${name}`
}

export interface PasswordAlertProps {
  readonly form: PasswordFormState
  /** Another problem, shown instead. Default: none. */
  readonly problem?: string | null
  readonly onWaitOver: () => void
}

/** Renders the message of a form: the errors of its fields, another error, or a wait. */
export function PasswordAlert({ form, problem = null, onWaitOver }: PasswordAlertProps) {
  const text = useText()
  const seconds = useWait(form.state === 'waiting' ? form : null, onWaitOver)
  if (problem !== null) return <AlertBox content={problemContent(problem)} focusOn={problem} />
  switch (form.state) {
    case 'idle':
    case 'sending':
    case 'done':
    case 'link-invalid':
      return <AlertBox content={null} />
    case 'waited':
      return <AlertBox content={{ tone: 'note', message: text('ui.throttle.over') }} />
    case 'incomplete': {
      const problems = Object.entries(form.errors).map(([name, message]) => ({
        id: fieldId(name as PasswordFormField),
        message,
      }))
      const message = <FieldLinks problems={problems} />
      return <AlertBox content={{ tone: 'problem', message }} focusOn={form} />
    }
    case 'failed':
      return <AlertBox content={problemContent(form.message)} focusOn={form} />
    case 'waiting': {
      const content = { tone: 'problem', ...waitTexts(text, form, seconds) } as const
      return <AlertBox id={messageId} content={content} focusOn={form} />
    }
  }
}
