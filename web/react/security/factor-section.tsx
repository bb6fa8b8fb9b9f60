import type { ReactNode } from 'react'
import { useText } from '../session/provider.tsx'
import { Section, type SectionProps } from './section.tsx'

export interface FactorSectionProps extends Pick<SectionProps, 'heading'> {
  readonly status: 'on' | 'off'
  readonly children: ReactNode
}

/** Renders the section of the second factor with its status. */
export function FactorSection({ status, heading, children }: FactorSectionProps) {
  const text = useText()
  return (
    <Section
      title={text('ui.tf.name')}
      heading={heading}
      mark={
        <span data-svc-part="mark" data-state={status}>
          {text(`ui.tf.status_${status}`)}
        </span>
      }
    >
      {children}
    </Section>
  )
}
