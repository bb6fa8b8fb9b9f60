import { useState } from 'react'
import { CodeForm } from '../../src/react/react.ts'
import { useText } from '../../src/react/provider.tsx'
import type { Problem } from '../../src/react/react.ts'
import { usePage } from '../page.ts'
import { CardScreen, Help, useTitle } from '../screen.tsx'

/** Renders the screen for the code of a pending login. */
export function CodeScreen() {
  const text = useText()
  const { help } = usePage()
  const [problem, setProblem] = useState<Problem>('none')
  useTitle(text('ui.code.title'), problem)
  return (
    <CardScreen>
      <h1>{text('ui.code.title')}</h1>
      <CodeForm onProblem={setProblem}>
        <Help href={help} />
      </CodeForm>
    </CardScreen>
  )
}
