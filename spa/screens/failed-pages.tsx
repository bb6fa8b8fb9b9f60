import { PartFailed } from '../../src/react/part-failed.tsx'
import type { FailedPart } from '../../src/react/part-failed.tsx'
import { useText } from '../../src/react/react.ts'
import { Heading, useTitle } from '../screen.tsx'

export interface FailedPagesProps {
  readonly part: FailedPart
  /** Something else that is wrong; `null`: nothing. */
  readonly problem: string | null
  readonly onRetry: () => void
}

/** What is shown at the addresses of the host's own pages when these did not load. */
export function FailedPages({ part, problem, onRetry }: FailedPagesProps) {
  const title = useText()('ui.broken.title')
  useTitle(title, 'shown')
  return (
    <main className="svc-page">
      <Heading>{title}</Heading>
      <PartFailed part={part} problem={problem} onRetry={onRetry} />
    </main>
  )
}
