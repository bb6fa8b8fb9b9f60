import { AlertBox, problemContent } from './alert-box.tsx'
import { Button } from './button.tsx'
import { useText } from './provider.tsx'
import { ReloadButton } from './reload-button.tsx'
import type { Part } from './use-part.ts'
import { useSpoken } from './use-spoken.ts'

export type FailedPart = Extract<Part<unknown>, { readonly state: 'failed' }>

export interface PartFailedProps {
  readonly part: FailedPart
  /** Something else that is wrong, which is said instead. Default: nothing. */
  readonly problem?: string | null
  readonly onRetry: () => void
}

/** Says that a part of the page did not load, and offers the ways out. */
export function PartFailed({ part, problem = null, onRetry }: PartFailedProps) {
  const text = useText()
  const key = part.failure === 'outdated' ? 'ui.outdated' : 'ui.part.failed'
  // Every attempt that fails is said again.
  const spoken = useSpoken(part.retry === 'none' ? part : null)
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
 * The ways out when a part of the page did not load. Reloading is offered where the page is out of date, and after a
 * second failure: browsers remember that a file failed, and only a new page forgets it.
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
