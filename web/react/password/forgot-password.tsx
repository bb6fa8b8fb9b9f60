import { useRef, useState } from 'react'
import { RESET_MINUTES } from '../../../src/rules/panel-limits.ts'
import { Field } from '../parts/field.tsx'
import { useSession, useText } from '../session/provider.tsx'
import { CardScreen } from '../session/screen.tsx'
import { StepButton, StepForm } from '../session/step-form.tsx'
import { AccountTexts } from '../session/account-texts-loaded.tsx'
import { BackToLogin } from './back-to-login.tsx'
import { PasswordAlert } from './password-alert.tsx'
import { SentLink } from './sent-link.tsx'
import { problemIn, usePasswordForm } from './use-password-form.ts'

export interface ForgotPasswordProps {
  /** Email to prefill; `null` for none. */
  readonly email: string | null
}

/** Renders the screen that sends a link, then the same answer for every email. */
export function ForgotPassword({ email }: ForgotPasswordProps) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <AccountTexts>
      {sentTo === null ? (
        <AskForLink email={email} onSent={setSentTo} />
      ) : (
        <SentLink email={sentTo} />
      )}
    </AccountTexts>
  )
}

interface AskForLinkProps extends ForgotPasswordProps {
  readonly onSent: (email: string) => void
}

function AskForLink({ email, onSent }: AskForLinkProps) {
  const text = useText()
  const session = useSession()
  const field = useRef<HTMLInputElement>(null)
  const { form, submit, endWait } = usePasswordForm({
    required: { email: text('ui.login.email_required') },
    send: async ({ email }) => session.forgotPassword(email),
  })

  async function send(element: HTMLFormElement) {
    const { state } = await submit(element)
    if (state === 'done') onSent(field.current?.value.trim() ?? '')
  }

  return (
    <CardScreen title={text('ui.forgot.title')} problem={problemIn(form)} takesFocus>
      <StepForm part="forgot-password" state={form.state} onSubmit={send}>
        <PasswordAlert form={form} onWaitOver={endWait} />
        <p data-svc-part="intro">{text('ui.forgot.intro', { count: RESET_MINUTES })}</p>
        <Field
          name="email"
          type="email"
          dir="ltr"
          label={text('ui.login.email')}
          autoComplete="username"
          input={field}
          defaultValue={email ?? ''}
          error={form.state === 'incomplete' ? form.errors.email : undefined}
        />
        <StepButton
          state={form.state}
          label={text('ui.forgot.submit')}
          sendingLabel={text('ui.verify.sending')}
        />
        <BackToLogin email={() => field.current?.value ?? null} />
      </StepForm>
    </CardScreen>
  )
}
