import { useState } from 'react'
import { AlertBox, LogoutButton, problemContent, useText } from '../../src/react/react.ts'
import { CardScreen, Heading, useTitle } from '../screen.tsx'

/** What stands between a session and the panel, and the way out. */
export function GateScreen({ email }: { readonly email: string | null }) {
  const text = useText()
  const [problem, setProblem] = useState<string | null>(null)
  useTitle(text('ui.verify.title'), problem === null ? 'none' : 'shown')
  return (
    <CardScreen>
      <Heading>{text('ui.verify.title')}</Heading>
      <AlertBox content={problemContent(problem)} focusOn={problem} />
      <p>{text('svc::auth.email_verification_required')}</p>
      {email !== null && (
        <p>
          <strong dir="ltr" translate="no">
            {email}
          </strong>
        </p>
      )}
      <LogoutButton onProblem={setProblem} />
    </CardScreen>
  )
}
