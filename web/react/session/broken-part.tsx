import { useDelayedMessage } from '../parts/use-delayed-message.ts'
import { AlertBox, problemContent } from './alert-box.tsx'
import { useText } from './provider.tsx'
import { ReloadButton } from './reload-button.tsx'

export interface BrokenPartProps {
  /** Another problem, announced instead. Default: none. */
  readonly problem?: string | null
}

/** Renders an error in place of a part that failed to render. */
export function BrokenPart({ problem = null }: BrokenPartProps) {
  const text = useText()
  const message = useDelayedMessage(problem ?? text('ui.broken.text'))
  return (
    <AlertBox content={problemContent(message)} focusOn={message}>
      <ReloadButton />
    </AlertBox>
  )
}
