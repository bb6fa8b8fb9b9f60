import { Button } from '../parts/button.tsx'
import { useText } from '../session/provider.tsx'
import { FactorSection, type FactorSectionProps } from './factor-section.tsx'
import type { Off } from './second-factor.ts'
import type { Security } from './use-security.ts'

export interface OffSectionProps extends Pick<FactorSectionProps, 'heading'> {
  readonly factor: Off
  readonly security: Security
}

/** Renders the second factor while it is off, with the button that sets it up. */
export function OffSection({ factor, security, heading }: OffSectionProps) {
  const text = useText()
  return (
    <FactorSection status="off" heading={heading}>
      <p>{text('ui.tf.off_intro')}</p>
      {factor.daysLeft !== null && (
        <div data-svc-part="warning">
          <p>{text('ui.tf.due', { count: factor.daysLeft })}</p>
        </div>
      )}
      <div data-svc-part="actions">
        <Button
          part="submit"
          busy={security.action === 'beginning'}
          onPress={() => void security.beginSetUp(factor, 'again')}
        >
          {text(factor.pending ? 'ui.tf.continue_setup' : 'ui.tf.setup')}
        </Button>
      </div>
    </FactorSection>
  )
}
