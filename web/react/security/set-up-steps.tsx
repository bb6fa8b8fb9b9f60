import type { ReactNode } from 'react'
import { useText } from '../session/provider.tsx'
import { useIsNarrow } from '../parts/use-is-narrow.ts'
import type { SettingUp } from './second-factor.ts'
import { SetUpKey, type SetUpKeyProps } from './set-up-key.tsx'

export interface SetUpStepProps {
  readonly number: number
  readonly title: string
  readonly children: ReactNode
}

/** Renders a step of the set-up below its number and title. */
export function SetUpStep({ number, title, children }: SetUpStepProps) {
  return (
    <div data-svc-part="step">
      <h3 data-svc-part="step-title">
        <span data-svc-part="step-number">{number}</span> {title}
      </h3>
      {children}
    </div>
  )
}

export interface AddKeyStepProps extends Pick<SetUpKeyProps, 'onCopyFailed'> {
  readonly factor: Pick<SettingUp, 'secret' | 'qrCode'>
}

/**
 * Renders the step that adds the key to an app, with the other way folded. On a phone the key comes
 * first, because a phone cannot scan its own screen.
 */
export function AddKeyStep({ factor, onCopyFailed }: AddKeyStepProps) {
  const text = useText()
  const isNarrow = useIsNarrow()
  const key = <SetUpKey secret={factor.secret} onCopyFailed={onCopyFailed} />
  const image = <img data-svc-part="qr-code" src={factor.qrCode} alt={text('ui.tf.qr_alt')} />
  return (
    <SetUpStep number={1} title={text(isNarrow ? 'ui.tf.key_title' : 'ui.tf.scan_title')}>
      <p>{text(isNarrow ? 'ui.tf.key' : 'ui.tf.scan')}</p>
      <p data-svc-part="hint">{text('ui.tf.apps')}</p>
      {isNarrow ? key : image}
      <details data-svc-part="other-way">
        <summary>{text(isNarrow ? 'ui.tf.other_device' : 'ui.tf.manual')}</summary>
        {isNarrow ? image : key}
      </details>
    </SetUpStep>
  )
}
