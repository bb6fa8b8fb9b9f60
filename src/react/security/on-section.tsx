import { useState } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { useText } from '../provider.tsx'
import { FactorSection } from './factor-section.tsx'
import type { FactorSectionProps } from './factor-section.tsx'
import { noticeId } from './security-alert.tsx'
import type { Security } from './use-security.ts'

export interface OnSectionProps extends Pick<FactorSectionProps, 'heading'> {
  readonly required: boolean
  readonly security: Security
}

/** It is on, and can be turned off by whoever does not need it. */
export function OnSection({ required, security, heading }: OnSectionProps) {
  const text = useText()
  return (
    <FactorSection status="on" heading={heading}>
      <p>{text('ui.tf.on_intro')}</p>
      {required ? (
        <p data-svc-part="hint">{text('svc::auth.required_cannot_disable')}</p>
      ) : (
        <TurnOff security={security} />
      )}
      {security.isGate && (
        <div data-svc-part="actions">
          <Button
            part="submit"
            busy={security.doing === 'going-on'}
            onPress={() => void security.goOn()}
          >
            {text('ui.rc.done')}
          </Button>
        </div>
      )}
    </FactorSection>
  )
}

function TurnOff({ security }: Pick<OnSectionProps, 'security'>) {
  const text = useText()
  const [dialog, setDialog] = useState<'open' | null>(null)
  const waits = security.notice?.notice === 'waiting'
  function turnOff() {
    // The focus is back before the button is drawn as busy.
    setDialog(null)
    void security.turnOff()
  }
  return (
    <div data-svc-part="actions">
      <Button
        part="secondary"
        busy={security.doing === 'turning-off'}
        waitsFor={waits ? noticeId : null}
        onPress={() => setDialog('open')}
      >
        {text('ui.tf.turn_off')}
      </Button>
      {dialog !== null && (
        <Dialog
          title={text('ui.tf.turn_off_title')}
          body={text('ui.tf.turn_off_body')}
          onCancel={() => setDialog(null)}
        >
          <Button part="secondary" onPress={() => setDialog(null)}>
            {text('ui.tf.turn_off_no')}
          </Button>
          <Button part="danger" onPress={turnOff}>
            {text('ui.tf.turn_off_yes')}
          </Button>
        </Dialog>
      )}
    </div>
  )
}
