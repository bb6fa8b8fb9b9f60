import { useLayoutEffect, useRef, type RefObject } from 'react'
import { Button } from '../parts/button.tsx'
import { useMessageId } from '../parts/element-id.ts'
import { Field } from '../parts/field.tsx'
import { useText } from '../session/provider.tsx'
import { StepForm } from '../session/step-form.tsx'
import { isAboutCode } from './notice.ts'
import type { SettingUp } from './second-factor.ts'
import { Section, type SectionProps } from './section.tsx'
import { SecurityAlert, type SecurityAlertProps } from './security-alert.tsx'
import { AddKeyStep, SetUpStep } from './set-up-steps.tsx'
import type { Security } from './use-security.ts'

export interface SetUpSectionProps extends SecurityAlertProps, Pick<SectionProps, 'heading'> {
  readonly factor: SettingUp
}

/** Renders the set-up: the user adds the key to an app and types the first code. */
export function SetUpSection({ factor, security, problem, heading }: SetUpSectionProps) {
  const text = useText()
  const field = useRef<HTMLInputElement>(null)

  const state = security.action === 'confirming' ? 'sending' : 'idle'
  const send = async () => security.confirmSetUp(factor, field.current?.value ?? '')

  return (
    <Section title={text('ui.tf.setup_title')} heading={heading}>
      <StepForm part="set-up" state={state} onSubmit={send}>
        <AddKeyStep
          factor={factor}
          onCopyFailed={() => security.showNotice({ notice: 'copy-failed' })}
        />
        <SetUpStep number={2} title={text('ui.tf.enter_title')}>
          <SecurityAlert security={security} problem={problem} />
          <FirstCode notice={security.notice} field={field} />
        </SetUpStep>
        <SetUpActions factor={factor} security={security} />
      </StepForm>
    </Section>
  )
}

interface FirstCodeProps extends Pick<Security, 'notice'> {
  readonly field: RefObject<HTMLInputElement | null>
}

/** Renders the field for the first code; empties it after a wrong one, for the next. */
function FirstCode({ notice, field }: FirstCodeProps) {
  const text = useText()
  const isWrong = isAboutCode(notice)
  useLayoutEffect(() => {
    if (!isAboutCode(notice)) return
    field.current?.form?.reset()
    field.current?.focus()
  }, [notice, field])
  return (
    <Field
      name="code"
      label={text('ui.tf.confirm_label')}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      input={field}
      invalid={isWrong}
    />
  )
}

function SetUpActions({ factor, security }: Pick<SetUpSectionProps, 'factor' | 'security'>) {
  const text = useText()
  const { action, notice } = security
  const noticeId = useMessageId()
  return (
    <div data-svc-part="actions">
      <Button type="submit" part="submit" waitsFor={notice?.notice === 'waiting' ? noticeId : null}>
        {text(action === 'confirming' ? 'ui.tf.turning_on' : 'ui.tf.turn_on')}
      </Button>
      <Button part="secondary" onPress={() => security.cancelSetUp(factor)}>
        {text('ui.tf.cancel')}
      </Button>
      <Button
        part="quiet"
        busy={action === 'beginning'}
        onPress={() => void security.beginSetUp(factor, 'fresh')}
      >
        {text('ui.tf.start_over')}
      </Button>
    </div>
  )
}
