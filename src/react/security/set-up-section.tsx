import { useLayoutEffect, useRef } from 'react'
import type { FormEvent, RefObject } from 'react'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'
import { useText } from '../provider.tsx'
import { isOfCode } from './notice.ts'
import type { Notice } from './notice.ts'
import type { SettingUp } from './second-factor.ts'
import { Section } from './section.tsx'
import type { SectionProps } from './section.tsx'
import { noticeId, SecurityAlert } from './security-alert.tsx'
import type { SecurityAlertProps } from './security-alert.tsx'
import { SetUpKey } from './set-up-key.tsx'

export interface SetUpSectionProps extends SecurityAlertProps, Pick<SectionProps, 'heading'> {
  readonly factor: SettingUp
}

/** Renders step 1: the user adds the key to an app and types the first code. */
export function SetUpSection({ factor, security, problem, heading }: SetUpSectionProps) {
  const text = useText()
  const { doing, notice } = security
  const field = useRef<HTMLInputElement>(null)
  useFieldAfter(notice, field)

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void security.confirm(factor, field.current?.value ?? '')
  }

  return (
    <Section
      title={text('ui.tf.setup_title')}
      heading={heading}
      mark={<span data-svc-part="step">{text('ui.tf.step', { step: 1, steps: 2 })}</span>}
    >
      <form noValidate method="post" aria-busy={doing === 'confirming'} onSubmit={send}>
        <ol data-svc-part="steps">
          <li>
            <p>{text('ui.tf.scan')}</p>
            <img data-svc-part="qr-code" src={factor.qrCode} alt={text('ui.tf.qr_alt')} />
          </li>
          <li>
            <p>{text('ui.tf.manual')}</p>
            <SetUpKey
              secret={factor.secret}
              onCopyFailed={() => security.say({ notice: 'copy-failed' })}
            />
          </li>
          <li>
            <SecurityAlert security={security} problem={problem} />
            <Field
              id="svc-security-code"
              name="code"
              label={text('ui.tf.confirm_label')}
              type="text"
              inputMode="numeric"
              autoComplete="one-time-code"
              input={field}
              invalid={isOfCode(notice)}
              describedBy={isOfCode(notice) ? noticeId : undefined}
            />
          </li>
        </ol>
        <div data-svc-part="actions">
          <Button
            type="submit"
            part="submit"
            waitsFor={notice?.notice === 'waiting' ? noticeId : null}
          >
            {text(doing === 'confirming' ? 'ui.tf.turning_on' : 'ui.tf.turn_on')}
          </Button>
          <Button part="secondary" onPress={() => security.cancel(factor)}>
            {text('ui.tf.cancel')}
          </Button>
          <Button
            part="secondary"
            busy={doing === 'beginning'}
            onPress={() => void security.begin(factor, 'fresh')}
          >
            {text('ui.tf.start_over')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** Empties the field after a wrong code, for the next one. */
function useFieldAfter(notice: Notice | null, field: RefObject<HTMLInputElement | null>): void {
  useLayoutEffect(() => {
    if (!isOfCode(notice)) return
    field.current?.form?.reset()
    field.current?.focus()
  }, [notice, field])
}
