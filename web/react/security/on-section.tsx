import { Button } from '../parts/button.tsx'
import { useMessageId } from '../parts/element-id.ts'
import { useText } from '../session/provider.tsx'
import { AskingButton } from './asking-button.tsx'
import { DeviceList } from './device-list.tsx'
import type { DeviceForm } from './device-page.tsx'
import { FactorSection, type FactorSectionProps } from './factor-section.tsx'
import type { On } from './second-factor.ts'
import type { Security } from './use-security.ts'

export interface OnSectionProps extends Pick<FactorSectionProps, 'heading'> {
  readonly factor: On
  readonly security: Security
  /** The result of the last form about the devices, in words; `null` before. */
  readonly done: string | null
  /** Opens a form about the devices. */
  readonly onDevices: (form: DeviceForm) => void
}

/** Renders the second factor while it is on; users who do not have to use it can disable it. */
export function OnSection({ factor, security, heading, done, onDevices }: OnSectionProps) {
  const text = useText()
  const noticeId = useMessageId()
  return (
    <FactorSection status="on" heading={heading}>
      <p>{text('ui.tf.on_intro')}</p>
      <UnseenCodes factor={factor} security={security} />
      <CodesLeft factor={factor} />
      {done !== null && <p data-svc-part="note">{done}</p>}
      {factor.devices !== null && !security.isGate && (
        <DeviceList
          devices={factor.devices}
          onAdd={() => onDevices({ form: 'add' })}
          onRemove={(device) => onDevices({ form: 'remove', device })}
        />
      )}
      {factor.required ? (
        <WhyRequired notice={security.notice} />
      ) : (
        <AskingButton
          texts="ui.tf.turn_off"
          busy={security.action === 'turning-off'}
          waitsFor={security.notice?.notice === 'waiting' ? noticeId : null}
          onConfirm={() => void security.turnOff()}
        />
      )}
      {security.isGate && (
        <div data-svc-part="actions">
          <Button
            part="submit"
            busy={security.action === 'continuing'}
            onPress={() => void security.continueToPanel()}
          >
            {text('ui.rc.done')}
          </Button>
        </div>
      )}
    </FactorSection>
  )
}

/**
 * Renders the advice about unconfirmed recovery codes. For codes that were just lost, the alert
 * gives it.
 */
function UnseenCodes({ factor, security }: Pick<OnSectionProps, 'factor' | 'security'>) {
  const text = useText()
  if (!factor.codesUnseen || security.notice?.notice === 'codes-lost') return null
  return (
    <div data-svc-part="warning">
      <p>{text(factor.required ? 'ui.rc.unseen_required' : 'ui.rc.unseen')}</p>
      <Button
        part="secondary"
        busy={security.action === 'confirming-saved'}
        onPress={() => void security.confirmSaved(factor)}
      >
        {text('ui.rc.seen')}
      </Button>
    </div>
  )
}

/** At this number the user is advised to get new codes. */
const FEW_CODES = 2

/** Renders the number of recovery codes left, with the way to new ones when few are. */
function CodesLeft({ factor: { codesLeft, required } }: Pick<OnSectionProps, 'factor'>) {
  const text = useText()
  if (codesLeft === null) return null
  const left = text('ui.rc.left', { count: codesLeft })
  if (codesLeft > FEW_CODES) return <p data-svc-part="hint">{left}</p>
  return (
    <div data-svc-part="warning">
      <p>
        {left} {text(required ? 'ui.rc.renew_required' : 'ui.rc.renew')}
      </p>
    </div>
  )
}

/** Explains the missing button, unless the alert does: the second factor has become required. */
function WhyRequired({ notice }: Pick<Security, 'notice'>) {
  const text = useText()
  const key = 'svc::auth.required_cannot_disable'
  if (notice?.notice === 'refused' && notice.refusal.key === key) return null
  return <p data-svc-part="hint">{text(key)}</p>
}
