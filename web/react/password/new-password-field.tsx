import { useRef, useState } from 'react'
import { PasswordField, type Shown } from '../session/password-field.tsx'
import { useText } from '../session/provider.tsx'
import { AccountField } from './account-field.tsx'
import { strengthOf, type Strength } from './strength.ts'
import type { PasswordFormState } from './use-password-form.ts'

export interface NewPasswordFieldProps {
  readonly form: PasswordFormState
  readonly label: string
  /** Email of the account, for password managers. */
  readonly email: string
  /** The minimum length that the rule mentions. */
  readonly least: number
  readonly field: ReturnType<typeof useNewPassword>
}

/** Renders the field for a new password: the rule before typing, the strength meanwhile. */
export function NewPasswordField({ form, label, email, least, field }: NewPasswordFieldProps) {
  const text = useText()
  const [strength, setStrength] = useState<Strength | null>(null)
  return (
    <>
      <AccountField email={email} />
      <div data-svc-part="new-password">
        <PasswordField
          input={field.input}
          label={label}
          autoComplete="new-password"
          hint={text('ui.new_password.rule', { count: least })}
          error={form.state === 'incomplete' ? form.errors.password : undefined}
          shown={field.shown}
          onShown={field.setShown}
          onValue={(typed) => setStrength(typed === '' ? null : strengthOf(typed, least))}
        />
        {/* There before it speaks. It says a word once, however long the user types. */}
        <p aria-live="polite" data-svc-part="strength">
          {strength !== null && <span key={strength}>{text(`ui.strength.${strength}`)}</span>}
        </p>
      </div>
    </>
  )
}

/** Keeps the field of a form. */
export function useNewPassword() {
  const input = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState<Shown>('hidden')
  function hide() {
    setShown('hidden')
    // Password managers read the field on submit, before the next render.
    if (input.current) input.current.type = 'password'
  }
  return { input, shown, setShown, hide }
}
