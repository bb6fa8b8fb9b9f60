import type { ReactNode } from 'react'
import { useLanguageAttributes } from '../session/provider.tsx'
import { CardScreen, Heading } from '../session/screen.tsx'
import { BackToLogin } from './back-to-login.tsx'

export interface PasswordCardProps {
  readonly title: string
  /** The email that the login keeps; `null` for none. */
  readonly email: string | null
  readonly children: ReactNode
}

/** Renders a screen without a form, and the way back to the login. */
export function PasswordCard({ title, email, children }: PasswordCardProps) {
  return (
    <CardScreen>
      <Heading>{title}</Heading>
      <div {...useLanguageAttributes()} data-svc-part="forgot-password">
        {children}
        <BackToLogin email={() => email} />
      </div>
    </CardScreen>
  )
}
