import { useDelayedMessage } from '../parts/use-delayed-message.ts'
import { Button } from '../parts/button.tsx'
import { AlertBox, problemContent } from './alert-box.tsx'
import { NewVersion } from './new-version.tsx'
import { useText } from './provider.tsx'
import { ReloadButton } from './reload-button.tsx'
import type { PartState } from './use-part.ts'

export type FailedPart = Extract<PartState<unknown>, { readonly state: 'failed' }>

export interface PartFailedProps {
  readonly part: FailedPart
  /** Another problem, announced instead. Default: none. */
  readonly problem?: string | null
  /** Names what did not load. Default: a part of the page. */
  readonly message?: 'ui.part.failed' | 'ui.bell.error'
  /** `retry`: only a retry that fails takes the focus, beside other parts. Default: `always`. */
  readonly takesFocus?: 'always' | 'retry'
  readonly onRetry: () => void
}

/** Renders what is shown in place of a part of the page that did not load, with the way on. */
export function PartFailed(props: PartFailedProps) {
  const { part, problem = null, message = 'ui.part.failed', takesFocus, onRetry } = props
  const text = useText()
  // The failure is new at each attempt: it takes the focus again.
  const failures = useDelayedMessage(part.failures)
  if (part.failure === 'outdated')
    return (
      <>
        <AlertBox content={problemContent(problem)} focusOn={problem} />
        <NewVersion place="here" />
      </>
    )
  return (
    <AlertBox
      content={problemContent(problem ?? (failures === null ? null : text(message)))}
      focusOn={problem ?? (takesFocus === 'retry' && failures === 1 ? null : failures)}
    >
      {/* Browsers cache the failure of a module, and only a new page clears it. */}
      {part.failure === 'again' && <ReloadButton />}
      <Button
        part={part.failure === 'again' ? 'secondary' : 'retry'}
        busy={part.retry === 'running'}
        onPress={onRetry}
      >
        {text('ui.retry')}
      </Button>
    </AlertBox>
  )
}

/** Returns whether a part is in the way of the user by an error, and not by a newer version. */
export function isProblem(part: PartState<unknown>): boolean {
  return part.state === 'failed' && part.failure !== 'outdated'
}
