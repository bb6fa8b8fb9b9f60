import { BrokenPart } from '../session/broken-part.tsx'
import { useText } from '../session/provider.tsx'
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
