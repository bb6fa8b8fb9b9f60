import { Button } from '../parts/button.tsx'
import { useSession, useText } from '../session/provider.tsx'
import { PasswordCard } from './password-card.tsx'

export interface DeadLinkProps {
  /** `over`: it has expired or was used. `missing`: the address has no token, as after a reload. */
  readonly reason: 'over' | 'missing'
  /** Email of the link; `null` if it is unknown. */
  readonly email: string | null
}

/** Renders why a link does not work, and the way to a new one. */
export function DeadLink({ reason, email }: DeadLinkProps) {
  const text = useText()
  const session = useSession()
  return (
    <PasswordCard title={text(`ui.dead_link.${reason}_title`)} email={email}>
      <p>{text(`ui.dead_link.${reason}`)}</p>
      <Button part="submit" onPress={() => session.showForgotPassword(email)}>
        {text('ui.dead_link.again')}
      </Button>
    </PasswordCard>
  )
}
