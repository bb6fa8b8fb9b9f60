import { useState } from 'react'
import { LoginForm } from './login-form.tsx'
import { useSession, useText } from '../session/provider.tsx'
import type { Problem } from '../session/use-problem.ts'
import { CardScreen, useScreen } from '../session/screen.tsx'

/** Renders the screen for email and password. */
export function LoginScreen() {
  const text = useText()
  const session = useSession()
  const { help, forgotPassword } = useScreen()
  const [problem, setProblem] = useState<Problem>('none')
  return (
    <CardScreen title={text('ui.login.title')} problem={problem}>
      <LoginForm onProblem={setProblem}>
        {/* The service's own way, below the password, replaces the host's. */}
        {!session.passwords && forgotPassword}
        {help}
      </LoginForm>
    </CardScreen>
  )
}
