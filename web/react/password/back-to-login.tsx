import { Button } from '../parts/button.tsx'
import { useSession, useText } from '../session/provider.tsx'

export interface BackToLoginProps {
  /** Returns the email to keep; `null` for none. */
  readonly email: () => string | null
}

/** Renders the way back to the login, which keeps the email. */
export function BackToLogin({ email }: BackToLoginProps) {
  const text = useText()
  const session = useSession()
  return (
    <div data-svc-part="choices">
      <Button part="quiet" onPress={() => session.leavePassword(email())}>
        {text('ui.code.back')}
      </Button>
    </div>
  )
}
