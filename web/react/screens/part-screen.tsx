import { useEffect, type ReactNode } from 'react'
import { isProblem, PartFailed, type FailedPart } from '../session/part-failed.tsx'
import { useText } from '../session/provider.tsx'
import { CardScreen } from '../session/screen.tsx'
import { usePart } from '../session/use-part.ts'
import { BootScreen } from './boot.tsx'

export interface PartScreenProps<Content> {
  /** Loads the screen's file. Must keep its identity between renders. */
  readonly load: () => Promise<Content>
  /** Rendered where the file does not load. Default: nothing. */
  readonly wayBack?: ReactNode
  readonly children: (content: Content) => ReactNode
}

/** Renders a screen whose content is a file of its own, because few logins need it. */
export function PartScreen<Content>({ load, wayBack, children }: PartScreenProps<Content>) {
  const [part, fetchPart] = usePart(load)
  useEffect(() => void fetchPart(), [fetchPart])
  switch (part.state) {
    case 'loading':
      return <BootScreen />
    case 'failed':
      return <FailedScreen part={part} wayBack={wayBack} onRetry={() => void fetchPart()} />
    case 'loaded':
      return children(part.content)
  }
}

interface FailedScreenProps {
  readonly part: FailedPart
  readonly wayBack: ReactNode
  readonly onRetry: () => void
}

function FailedScreen({ part, wayBack, onRetry }: FailedScreenProps) {
  const text = useText()
  const isBroken = isProblem(part)
  const title = text(isBroken ? 'ui.broken.title' : 'ui.outdated.title')
  return (
    <CardScreen title={title} problem={isBroken ? 'shown' : 'none'}>
      <PartFailed part={part} onRetry={onRetry} />
      {wayBack}
    </CardScreen>
  )
}
