import { BrokenPart } from '../session/broken-part.tsx'
import { useText } from '../session/provider.tsx'
import { CardScreen } from '../session/screen.tsx'

/** Renders an error in place of a screen that failed to render. */
export function BrokenScreen() {
  const text = useText()
  return (
    <CardScreen title={text('ui.broken.title')} problem="shown">
      <BrokenPart />
    </CardScreen>
  )
}
