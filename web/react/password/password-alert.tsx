import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { useFormAlert } from '../session/use-form-alert.tsx'
import type { PasswordFormField, PasswordFormState } from './use-password-form.ts'

/** Id for the `aria-describedby` of the button that waits. */
export const messageId = 'svc-password-message'

const fieldPrefix = 'svc-password-'

/** Returns the id of a field. */
export function fieldId(name: PasswordFormField): string {
  return fieldPrefix + name
}

export interface PasswordAlertProps {
  readonly form: PasswordFormState
  /** Another problem, shown instead. Default: none. */
  readonly problem?: string | null
  readonly onWaitOver: () => void
}

/** Renders the message of a form: the errors of its fields, another error, or a wait. */
export function PasswordAlert({ form, problem = null, onWaitOver }: PasswordAlertProps) {
  const alert = useFormAlert({ form, id: messageId, fieldPrefix, onWaitOver })
  if (problem === null) return <AlertBox {...alert} />
  return <AlertBox content={problemContent(problem)} focusOn={problem} />
}
