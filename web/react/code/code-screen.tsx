import { useState } from 'react'
import { CodeForm } from './code-form.tsx'
import { useText } from '../session/provider.tsx'
import type { Problem } from '../session/use-problem.ts'
import { CardScreen, useScreen } from '../session/screen.tsx'

/** Renders the screen for the code of a pending login. */
export function CodeScreen() {
  const text = useText()
  const { help, codeDigits } = useScreen()
  const [problem, setProblem] = useState<Problem>('none')
  return (
    <CardScreen title={text('ui.code.title')} problem={problem}>
      <CodeForm digits={codeDigits} onProblem={setProblem}>
        {help}
      </CodeForm>
    </CardScreen>
  )
}
