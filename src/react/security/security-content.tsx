import { useState } from 'react'
import { useText } from '../provider.tsx'
import { Heading } from '../screens/screen.tsx'
import { SecurityPage } from './security-page.tsx'
import type { ShownSecurity } from './security-page.tsx'

export interface SecurityContentProps {
  /** Name of the panel, for the file with the recovery codes. */
  readonly panel: string
  /** Called with the heading, such as for the title of the document. */
  readonly onTitle?: (title: string) => void
}

/** Renders the security page below its heading, for a layout that has a `<main>` of its own. */
export function SecurityContent({ panel, onTitle }: SecurityContentProps) {
  const [title, setTitle] = useState(useText()('ui.security.title'))
  const [onShown] = useState(() => ({ title }: ShownSecurity) => {
    setTitle(title)
    onTitle?.(title)
  })
  return (
    <div className="svc-page" data-svc-part="screen">
      <Heading key={title}>{title}</Heading>
      <SecurityPage panel={panel} onShown={onShown} />
    </div>
  )
}
