import { Button } from '../button.tsx'
import { useText } from '../provider.tsx'
import { Section } from './section.tsx'
import type { SectionProps } from './section.tsx'
import type { Off } from './second-factor.ts'
import type { Security } from './use-security.ts'

export interface OffSectionProps extends Pick<SectionProps, 'heading'> {
  readonly factor: Off
  readonly security: Security
}

/** It is off, and can be set up. */
export function OffSection({ factor, security, heading }: OffSectionProps) {
  const text = useText()
  return (
    <Section
      title={text('ui.tf.name')}
      heading={heading}
      mark={
        <span data-svc-part="mark" data-state="off">
          {text('ui.tf.status_off')}
        </span>
      }
    >
      <p>{text('ui.tf.off_intro')}</p>
      <div data-svc-part="actions">
        <Button
          part="submit"
          busy={security.doing === 'beginning'}
          onPress={() => void security.begin(factor, 'again')}
        >
          {text(factor.pending ? 'ui.tf.continue_setup' : 'ui.tf.setup')}
        </Button>
      </div>
    </Section>
  )
}
