import { useState } from 'react'
import { AlertBox, LogoutButton, problemContent, useText } from '../../src/react/react.ts'
import type { Gate } from '../../src/client/client.ts'
import { CardScreen, Heading, useTitle } from '../screen.tsx'

const NOTICES = {
  email: { title: 'ui.verify.title', reason: 'svc::auth.email_verification_required' },
  'two-factor': { title: 'ui.tf.name', reason: 'svc::auth.two_factor_setup_required' },
} as const

/** What stands between a session and the panel, and the way out. */
export function GateScreen({
  gate,
  email,
}: {
  readonly gate: Gate
  readonly email: string | null
}) {
  const text = useText()
  const [problem, setProblem] = useState<string | null>(null)
  const { title, reason } = NOTICES[gate]
  useTitle(text(title), problem === null ? 'none' : 'shown')
  return (
    <CardScreen>
      <Heading>{text(title)}</Heading>
      <AlertBox content={problemContent(problem)} focusOn={problem} />
      <p>{text(reason)}</p>
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
