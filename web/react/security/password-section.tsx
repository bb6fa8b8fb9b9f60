import { useLayoutEffect, useRef } from 'react'
import { Button } from '../parts/button.tsx'
import { useText } from '../session/provider.tsx'
import { Section } from './section.tsx'

export interface PasswordSectionProps {
  /** The way in which the user has left the form; `null` before. */
  readonly returned: 'changed' | 'cancelled' | null
  readonly onChange: () => void
}

/** Renders the section of the password, with the button that opens its form. */
export function PasswordSection({ returned, onChange }: PasswordSectionProps) {
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (returned !== null) heading.current?.focus()
  }, [returned])
  return (
    <Section title={text('ui.login.password')} heading={heading}>
      {returned === 'changed' ? (
        <p data-svc-part="note">{text('ui.change_password.done')}</p>
      ) : (
        <p>{text('ui.change_password.purpose')}</p>
      )}
      <div data-svc-part="actions">
        <Button part="secondary" onPress={onChange}>
          {text('ui.change_password.open')}
        </Button>
      </div>
    </Section>
  )
}
