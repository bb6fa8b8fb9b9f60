import { useText } from '../session/provider.tsx'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { ReloadButton } from '../session/reload-button.tsx'
import { useDelayedMessage } from '../parts/use-delayed-message.ts'
import { CardScreen, useTitle } from '../session/screen.tsx'

/** Renders an error in place of a screen that failed to render. */
export function BrokenScreen() {
  const text = useText()
  useTitle(text('ui.broken.title'), 'shown')
  return (
    <CardScreen>
      <h1>{text('ui.broken.title')}</h1>
      <BrokenPart />
    </CardScreen>
  )
}

export interface BrokenPartProps {
  /** Another problem, announced instead. Default: none. */
  readonly problem?: string | null
}

/** Renders an error in place of a part that failed to render. */
export function BrokenPart({ problem = null }: BrokenPartProps) {
  const text = useText()
  const message = useDelayedMessage(problem ?? text('ui.broken.text'))
  return (
    <>
      <AlertBox content={problemContent(message)} focusOn={message} />
      <div data-svc-part="actions">
        <ReloadButton />
      </div>
    </>
  )
}
