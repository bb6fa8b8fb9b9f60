import { useState } from 'react'
import { VerifyEmail } from './verify-email.tsx'
import { useText } from '../session/provider.tsx'
import type { Problem } from '../session/use-problem.ts'
import { CardScreen, useScreen } from '../session/screen.tsx'

/** Renders the screen that tells users to verify their email, and sends the link. */
export function VerifyEmailScreen() {
  const text = useText()
  const { linkMinutes } = useScreen()
  const [problem, setProblem] = useState<Problem>('none')
  return (
    <CardScreen title={text('ui.verify.title')} problem={problem} takesFocus>
      <VerifyEmail linkMinutes={linkMinutes} onProblem={setProblem} />
    </CardScreen>
  )
}
