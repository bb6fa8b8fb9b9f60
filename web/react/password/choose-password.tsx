import { AccountTexts } from '../session/account-texts-loaded.tsx'
import { newPasswords } from '../../../src/rules/panel-limits.ts'
import type { PasswordLink } from '../../client/client.ts'
import { AddressText } from '../session/address-text.tsx'
import { useSession, useText } from '../session/provider.tsx'
import { CardScreen } from '../session/screen.tsx'
import { StepButton, StepForm } from '../session/step-form.tsx'
import { BackToLogin } from './back-to-login.tsx'
import { DeadLink } from './dead-link.tsx'
import { NewPasswordField, useNewPassword } from './new-password-field.tsx'
import { PasswordAlert } from './password-alert.tsx'
import { problemIn, usePasswordForm } from './use-password-form.ts'

export interface ChoosePasswordProps {
  readonly step: 'reset' | 'choose'
  readonly link: PasswordLink | null
}

/** Renders the screen that the link of a mail opens: one field, or why the link does not work. */
export function ChoosePassword({ step, link }: ChoosePasswordProps) {
  return (
    <AccountTexts>
      {link === null ? (
        <DeadLink reason="missing" email={null} />
      ) : (
        // Another link starts anew.
        <LivingLink key={link.token} step={step} link={link} />
      )}
    </AccountTexts>
  )
}

interface LivingLinkProps extends ChoosePasswordProps {
  readonly link: PasswordLink
}

const TITLES = { reset: 'ui.new_password.title', choose: 'ui.new_password.first_title' } as const
const INTROS = { reset: 'ui.new_password.intro', choose: 'ui.new_password.welcome' } as const

function LivingLink({ step, link }: LivingLinkProps) {
  const text = useText()
  const session = useSession()
  const { form, submit, endWait } = usePasswordForm({
    required: { password: text('ui.new_password.required') },
    send: async ({ password }) => session.resetPassword({ ...link, password }),
  })
  return form.state === 'link-invalid' ? (
    <DeadLink reason="over" email={link.email} />
  ) : (
    <ChoosePasswordCard step={step} link={link} form={form} submit={submit} endWait={endWait} />
  )
}

type FormProps = Pick<ReturnType<typeof usePasswordForm>, 'form' | 'submit' | 'endWait'>

function ChoosePasswordCard({ step, link, form, submit, endWait }: LivingLinkProps & FormProps) {
  const text = useText()
  const field = useNewPassword()

  async function send(element: HTMLFormElement) {
    field.hide()
    await submit(element)
  }

  return (
    <CardScreen title={text(TITLES[step])} problem={problemIn(form)} takesFocus>
      <StepForm part="choose-password" state={form.state} onSubmit={send}>
        <PasswordAlert form={form} onWaitOver={endWait} />
        <p data-svc-part="intro">
          <AddressText message={INTROS[step]} email={link.email} />
        </p>
        <NewPasswordField
          form={form}
          label={text('ui.new_password.label')}
          email={link.email}
          least={newPasswords.leastCharacters}
          field={field}
        />
        <StepButton
          state={form.state}
          label={text('ui.new_password.submit')}
          sendingLabel={text('ui.new_password.submitting')}
        />
        <BackToLogin email={() => link.email} />
      </StepForm>
    </CardScreen>
  )
}
