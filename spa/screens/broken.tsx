import {
  AlertBox,
  problemContent,
  ReloadButton,
  useSpoken,
  useText,
} from '../../src/react/react.ts'
import { CardScreen, useTitle } from '../screen.tsx'

/** What is shown when a screen failed to render. */
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
  /** Something else that is wrong, which is said instead. Default: nothing. */
  readonly problem?: string | null
}

/** What is shown when a part of a screen failed to render. */
export function BrokenPart({ problem = null }: BrokenPartProps) {
  const text = useText()
  const message = useSpoken(problem ?? text('ui.broken.text'))
  return (
    <>
      <AlertBox content={problemContent(message)} focusOn={message} />
      <div data-svc-part="actions">
        <ReloadButton />
      </div>
    </>
  )
}
