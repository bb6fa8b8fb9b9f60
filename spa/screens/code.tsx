import { CardScreen, useTitle } from '../screen.tsx'
import { useText } from '../../src/react/react.ts'

/** S2: the code that a login owes. */
export function CodeScreen() {
  const text = useText()
  useTitle(text('ui.code.title'), 'none')
  return (
    <CardScreen>
      <h1>{text('ui.code.title')}</h1>
    </CardScreen>
  )
}
