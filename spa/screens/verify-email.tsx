import { useState } from 'react'
import {
  AddressText,
  AlertBox,
  LogoutButton,
  problemContent,
  useText,
} from '../../src/react/react.ts'
import { CardScreen, Heading, useTitle } from '../screen.tsx'

/** S3: the address has to be verified first. */
export function VerifyEmailScreen({ email }: { readonly email: string | null }) {
  const text = useText()
  const [problem, setProblem] = useState<string | null>(null)
  useTitle(text('ui.verify.title'), problem === null ? 'none' : 'shown')
  return (
    <CardScreen>
      <Heading>{text('ui.verify.title')}</Heading>
      <AlertBox content={problemContent(problem)} focusOn={problem} />
      {email !== null && (
        <p>
          <AddressText id="ui.verify.intro" email={email} />
        </p>
      )}
      <LogoutButton onProblem={setProblem} />
    </CardScreen>
  )
}
