import { useState } from 'react'
import { LoginForm } from '../../src/react/react.ts'
import { useText } from '../../src/react/provider.tsx'
import type { Problem } from '../../src/react/react.ts'
import { usePage } from '../page.ts'
import { CardScreen, Help, useTitle } from '../screen.tsx'

/** Renders the screen for email and password. */
export function LoginScreen() {
  const text = useText()
  const { help } = usePage()
  const [problem, setProblem] = useState<Problem>('none')
  useTitle(text('ui.login.title'), problem)
  return (
    <CardScreen>
      <h1>{text('ui.login.title')}</h1>
      <LoginForm onProblem={setProblem}>
        <Help href={help} />
      </LoginForm>
    </CardScreen>
  )
}
