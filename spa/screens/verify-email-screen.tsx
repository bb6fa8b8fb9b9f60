import { useState } from 'react'
import { VerifyEmail } from '../../src/react/react.ts'
import { useText } from '../../src/react/provider.tsx'
import type { Problem } from '../../src/react/react.ts'
import { usePage } from '../page.ts'
import { CardScreen, Heading, useTitle } from '../screen.tsx'

/** Renders the screen that tells users to verify their email, and sends the link. */
export function VerifyEmailScreen() {
  const text = useText()
  const { linkMinutes } = usePage()
  const [problem, setProblem] = useState<Problem>('none')
  useTitle(text('ui.verify.title'), problem)
  return (
    <CardScreen>
      <Heading>{text('ui.verify.title')}</Heading>
      <VerifyEmail linkMinutes={linkMinutes} onProblem={setProblem} />
    </CardScreen>
  )
}
