import { useState } from 'react'
import { useLanguageAttributes, useText } from '../session/provider.tsx'
import { Heading } from '../session/screen.tsx'
import { SecurityPage, type SecurityPageProps } from './security-page.tsx'
import type { ShownSecurity } from './use-shown.ts'

/** The properties of `SecurityView`. */
export interface SecurityViewProps extends Pick<SecurityPageProps, 'panel' | 'twoFactor'> {
  /** Called with the heading, such as for the title of the document. */
  readonly onTitle?: (title: string) => void
}

/**
 * Renders the security page below its heading, for a layout that has a `<main>` of its own.
 *
 * @example
 * ```tsx
 * const Security = () => <SecurityView panel="Shop" />
 * ```
 */
export function SecurityView({ panel, twoFactor = 'bound', onTitle }: SecurityViewProps) {
  const [title, setTitle] = useState(useText()('ui.security.title'))
  const [onShown] = useState(() => ({ title }: ShownSecurity) => {
    setTitle(title)
    onTitle?.(title)
  })
  return (
    <div {...useLanguageAttributes()} className="svc-page" data-svc-part="screen">
      <Heading key={title}>{title}</Heading>
      <SecurityPage panel={panel} twoFactor={twoFactor} onShown={onShown} />
    </div>
  )
}
