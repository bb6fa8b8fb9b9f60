import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { useAnnounce, useSession, useText, useUser } from '../session/provider.tsx'
import { useProblem, type Problem } from '../session/use-problem.ts'
import { StepButton, StepForm } from '../session/step-form.tsx'
import { NewPasswordField, useNewPassword } from './new-password-field.tsx'
import { PasswordAlert } from './password-alert.tsx'
import { problemIn, usePasswordForm } from './use-password-form.ts'

export interface ChangePasswordFormProps {
  /** The minimum length that the rule mentions. */
  readonly least: number
  /** Another problem on the page, shown instead; `null` for none. */
  readonly problem: string | null
  readonly onEnd: (how: 'changed' | 'cancelled') => void
  readonly onProblem: (problem: Problem) => void
}

/** Renders the form that changes the password of the user. */
export function ChangePasswordForm({ least, problem, onEnd, onProblem }: ChangePasswordFormProps) {
  const text = useText()
  const session = useSession()
  const announce = useAnnounce()
  const email = useUser()?.email ?? ''
  const next = useNewPassword()
  const { form, submit, endWait } = usePasswordForm({
    required: {
      current_password: text('ui.change_password.current_required'),
      password: text('ui.new_password.required'),
    },
    send: async (entered) => session.changePassword(entered),
  })
  useProblem(problemIn(form), onProblem)

  async function send(element: HTMLFormElement) {
    next.hide()
    const { state } = await submit(element)
    if (state !== 'done') return
    announce(text('ui.change_password.done'))
    onEnd('changed')
  }

  return (
    <>
      <p>{text('ui.change_password.intro')}</p>
      <StepForm part="change-password" state={form.state} onSubmit={send}>
        <PasswordAlert form={form} problem={problem} onWaitOver={endWait} />
        <Field
          name="current_password"
          type="password"
          label={text('ui.change_password.current')}
          autoComplete="current-password"
          error={form.state === 'incomplete' ? form.errors.current_password : undefined}
        />
        <NewPasswordField
          form={form}
          label={text('ui.new_password.label')}
          email={email}
          least={least}
          field={next}
        />
        <div data-svc-part="actions">
          <StepButton
            state={form.state}
            label={text('ui.new_password.submit')}
            sendingLabel={text('ui.new_password.submitting')}
          />
          <Button part="secondary" onPress={() => onEnd('cancelled')}>
            {text('ui.tf.cancel')}
          </Button>
        </div>
      </StepForm>
    </>
  )
}
