import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { useFormAlert } from '../session/use-form-alert.tsx'
import type { PasswordFormState } from './use-password-form.ts'

export interface PasswordAlertProps {
  readonly form: PasswordFormState
  /** Another problem, shown instead. Default: none. */
  readonly problem?: string | null
  readonly onWaitOver: () => void
}

/** Renders the message of a form: the errors of its fields, another error, or a wait. */
export function PasswordAlert({ form, problem = null, onWaitOver }: PasswordAlertProps) {
  const alert = useFormAlert({ form, onWaitOver })
  if (problem === null) return <AlertBox {...alert} />
  return <AlertBox content={problemContent(problem)} focusOn={problem} />
}
