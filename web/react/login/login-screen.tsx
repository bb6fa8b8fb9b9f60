import { useState } from 'react'
import { LoginForm } from './login-form.tsx'
import { useSession, useText } from '../session/provider.tsx'
import type { Problem } from '../session/use-problem.ts'
import { CardScreen, useScreen, useTitle } from '../session/screen.tsx'

/** Renders the screen for email and password. */
export function LoginScreen() {
  const text = useText()
  const session = useSession()
  const { help, forgotPassword } = useScreen()
  const [problem, setProblem] = useState<Problem>('none')
  useTitle(text('ui.login.title'), problem)
  return (
    <CardScreen>
      <h1>{text('ui.login.title')}</h1>
      <LoginForm onProblem={setProblem}>
        {/* The service's own way, below the password, replaces the host's. */}
        {!session.passwords && forgotPassword}
        {help}
      </LoginForm>
    </CardScreen>
  )
}
