import { AlertBox, problemContent } from './alert-box.tsx'
import { Button } from '../parts/button.tsx'
import { useText } from './provider.tsx'
import { ReloadButton } from './reload-button.tsx'
import type { Part } from './use-part.ts'
import { useDelayedMessage } from '../parts/use-delayed-message.ts'

export type FailedPart = Extract<Part<unknown>, { readonly state: 'failed' }>

export interface PartFailedProps {
  readonly part: FailedPart
  /** Another problem, announced instead. Default: none. */
  readonly problem?: string | null
  readonly onRetry: () => void
}

/** Renders an error for a part of the page that did not load, with ways to recover. */
export function PartFailed({ part, problem = null, onRetry }: PartFailedProps) {
  const text = useText()
  const key = part.failure === 'outdated' ? 'ui.outdated' : 'ui.part.failed'
  // Announces every failed attempt.
  const spoken = useDelayedMessage(part.retry === 'none' ? part : null)
  const message = problem ?? (spoken && text(key))
  return (
    <>
      <AlertBox content={problemContent(message)} focusOn={problem ?? spoken} />
      <PartActions part={part} onRetry={onRetry} />
    </>
  )
}

export type PartActionsProps = Pick<PartFailedProps, 'part' | 'onRetry'>

/**
 * Renders the ways to recover from a part that did not load. Offers a reload if the page is
 * outdated, and after a second failure: browsers cache the failure of a module, and only a new page
 * clears it.
 */
export function PartActions({ part, onRetry }: PartActionsProps) {
  const text = useText()
  const offersReload = part.failure !== 'once'
  return (
    <div data-svc-part="actions">
      {offersReload && <ReloadButton />}
      <Button
        part={offersReload ? 'secondary' : 'retry'}
        busy={part.retry === 'running'}
        onPress={onRetry}
      >
        {text('ui.retry')}
      </Button>
    </div>
  )
}
