import type { ReactNode } from 'react'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { useLanguageAttributes } from '../session/provider.tsx'
import { CardScreen } from '../session/screen.tsx'
import { BackToLogin } from './back-to-login.tsx'

export interface PasswordCardProps {
  readonly title: string
  /** The email that the login keeps; `null` for none. */
  readonly email: string | null
  /** An error; a new object takes the focus, also with the same words. Default: none. */
  readonly problem?: { readonly message: string } | null
  readonly children: ReactNode
}

/** Renders a screen without a form, and the way back to the login. */
export function PasswordCard({ title, email, problem = null, children }: PasswordCardProps) {
  return (
    <CardScreen title={title} problem={problem === null ? 'none' : 'shown'} takesFocus>
      <div {...useLanguageAttributes()} data-svc-part="forgot-password">
        <AlertBox content={problemContent(problem && problem.message)} focusOn={problem} />
        {children}
        <BackToLogin email={() => email} />
      </div>
    </CardScreen>
  )
}
