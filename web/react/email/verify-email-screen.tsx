import { useState } from 'react'
import { VerifyEmail } from './verify-email.tsx'
import { useText } from '../session/provider.tsx'
import type { Problem } from '../session/use-problem.ts'
import { CardScreen, Heading, useScreen, useTitle } from '../session/screen.tsx'

/** Renders the screen that tells users to verify their email, and sends the link. */
export function VerifyEmailScreen() {
  const text = useText()
  const { linkMinutes } = useScreen()
  const [problem, setProblem] = useState<Problem>('none')
  useTitle(text('ui.verify.title'), problem)
  return (
    <CardScreen>
      <Heading>{text('ui.verify.title')}</Heading>
      <VerifyEmail linkMinutes={linkMinutes} onProblem={setProblem} />
    </CardScreen>
  )
}
