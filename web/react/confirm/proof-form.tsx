import { useEffect, useRef } from 'react'
import { normalizeTypedCode } from '../../client/session/typed-code.ts'
import type { ConfirmOutcome } from '../../client/client.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { AccountField } from '../password/account-field.tsx'
import { PasswordAlert } from '../password/password-alert.tsx'
import { usePasswordForm } from '../password/use-password-form.ts'
import { useSession, useText, useUser } from '../session/provider.tsx'
import { StepButton, StepForm } from '../session/step-form.tsx'
import type { Text } from '../texts/texts.ts'

/** The proof that the user gives. */
export type ProofKind = 'password' | 'code'

export interface ProofFormProps {
  readonly kind: ProofKind
  readonly onEnd: (isConfirmed: boolean) => void
  /** Changes to the other kind; `null`: it is not accepted. */
  readonly onOther: (() => void) | null
}

/** Renders the form that confirms the session by one kind of proof. */
export function ProofForm({ kind, onEnd, onOther }: ProofFormProps) {
  const text = useText()
  const session = useSession()
  const email = useUser()?.email
  const input = useRef<HTMLInputElement>(null)
  const { form, submit, endWait } = usePasswordForm({
    required: {
      proof: text(kind === 'password' ? 'ui.login.password_required' : 'ui.code.required'),
    },
    send: async ({ proof }) => {
      const entered = kind === 'password' ? proof : normalizeTypedCode(proof)
      return atProof(await session.confirm({ [kind]: entered }))
    },
  })
  // After the dialog is shown, which focuses the first element that can have the focus.
  useEffect(() => input.current?.focus(), [])

  async function send(element: HTMLFormElement) {
    const { state } = await submit(element)
    if (state === 'done') onEnd(true)
    // A wrong one is typed anew.
    if (state === 'incomplete' && input.current !== null) input.current.value = ''
  }

  return (
    <StepForm part="proof" state={form.state} onSubmit={send}>
      <PasswordAlert form={form} onWaitOver={endWait} />
      {kind === 'password' && email !== undefined && <AccountField email={email} />}
      <Field
        {...inputOf(kind, text)}
        name="proof"
        input={input}
        error={form.state === 'incomplete' ? form.errors.proof : undefined}
      />
      <div data-svc-part="dialog-actions">
        <StepButton
          state={form.state}
          label={text('ui.confirm.submit')}
          sendingLabel={text('ui.confirm.submitting')}
        />
        <Button part="secondary" onPress={() => onEnd(false)}>
          {text('ui.tf.cancel')}
        </Button>
        {onOther !== null && (
          <Button part="quiet" onPress={onOther}>
            {text(kind === 'password' ? 'ui.confirm.use_code' : 'ui.confirm.use_password')}
          </Button>
        )}
      </div>
    </StepForm>
  )
}

/** Returns the attributes of the input for a kind of proof. */
function inputOf(kind: ProofKind, text: Text) {
  return kind === 'password'
    ? ({
        type: 'password',
        label: text('ui.login.password'),
        autoComplete: 'current-password',
      } as const)
    : ({
        type: 'text',
        label: text('ui.code.label'),
        autoComplete: 'one-time-code',
        inputMode: 'numeric',
        dir: 'ltr',
      } as const)
}

/** Names the fault of the password or the code as that of the field. */
function atProof(answer: ConfirmOutcome): ConfirmOutcome {
  if (answer.outcome !== 'refused') return answer
  const { refusal } = answer
  const [messages] = Object.values(refusal.errors ?? {})
  if (messages === undefined) return answer
  return { ...answer, refusal: { ...refusal, errors: { proof: messages } } }
}
